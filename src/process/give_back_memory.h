// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace culprit::process {

/// Gives memory that was freed back to the system, if there is much of it. glibc keeps it (settings.h), and
/// often finds no room in it for the next tensor of the same size, so that a process takes several times what
/// it uses. For processes of our own, between two pieces of work: pages that are needed again have to be
/// filled anew.
void GiveBackMemory();

}  // namespace culprit::process
