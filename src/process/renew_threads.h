// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace culprit::process {

/// First thing in a forked process: libtorch has a pool of threads that only its parent has. A compiler that
/// calls exit() would wait for them for ever, or for whatever thread has got their memory since.
void RenewThreads();

}  // namespace culprit::process
