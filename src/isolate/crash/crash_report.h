// SPDX-License-Identifier: Apache-2.0
//
// Makes of what a crash handler noted what a reader of the crash wants to know.
#pragma once

#include "isolate/query/black_box.h"
#include "isolate/query/outcome.h"

namespace culprit::isolate {

/// `fallback_signal` is for a child that died without a note, as of SIGKILL.
Signal ReportCrash(const BlackBox& box, int fallback_signal);

}  // namespace culprit::isolate
