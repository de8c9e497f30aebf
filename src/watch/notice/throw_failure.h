// SPDX-License-Identifier: Apache-2.0
//
// How failures leave the watcher. Without a watcher there are no lines about a repro.
#pragma once

#include <string>

#include "check/verdict/same_two_models.h"
#include "watch/notice/notice.h"

namespace culprit::watch {

/// What could not be compiled is BackendCompilerFailed, what was thrown at run time is thrown again.
[[noreturn]] void ThrowFailure(const std::string& backend, const check::RunFailure& failure,
                               const Notice& report, bool is_watched);

/// AccuracyError.
[[noreturn]] void ThrowInaccurate(const check::CheckResult& result, const Notice& report, bool is_watched);

}  // namespace culprit::watch
