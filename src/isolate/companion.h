// SPDX-License-Identifier: Apache-2.0
//
// A process that works for a child, such as the server of a compiler: what it uses counts as the child's, and
// if it dies, the child dies in the same way. So whoever watches the child needs to know nothing of it.
#pragma once

#include <sys/types.h>

#include "isolate/query/black_box.h"

namespace culprit::isolate {

/// From now on the companion's time and memory, beyond what it has now, count as this child's. Outside of a
/// child it does nothing.
void AnnounceCompanion(pid_t companion);

/// Ends this child as its companion ended, whose status is as of waitpid(): by the same signal, with the
/// crash that it noted, or with the same exit code. Outside of a child it returns.
void EndLike(const BlackBox& companion, int status);

}  // namespace culprit::isolate
