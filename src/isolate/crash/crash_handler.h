// SPDX-License-Identifier: Apache-2.0
//
// Notes in the black box what a crashing child was doing, then lets it die of the same signal.
//
// Everything that is done in a handler is allowed there (unwind.h). Symbols are left to the caller
// (symbolize.h). The handler has a stack of its own, so that it survives the overflow of the main thread's;
// other threads have none, and die of an overflow without a note. If it hangs or crashes itself, the signal
// at least is noted.
#pragma once

#include "isolate/query/black_box.h"

namespace culprit::isolate {

/// In the zygote, once: what is too slow or not allowed later.
void PrepareCrashHandler();

/// In a child, which must have a black box.
void InstallCrashHandler();

}  // namespace culprit::isolate
