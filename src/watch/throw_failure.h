// SPDX-License-Identifier: Apache-2.0
//
// How failures leave the watcher. Without a watcher there are no lines about a repro.
#pragma once

#include "check/same_two_models.h"
#include "watch/report.h"
#include "watch/session.h"
#include "watch/subject.h"

namespace culprit::watch {

/// What could not be compiled is BackendCompilerFailed, what was thrown at run time is thrown again. If that
/// cannot carry the lines of the report, they are a warning.
[[noreturn]] void ThrowFailure(const Subject& subject, const check::Failure& failure, const Report& report,
                               bool is_watched, Session& session);

/// AccuracyError.
[[noreturn]] void ThrowInaccurate(const check::CheckResult& result, const Report& report, bool is_watched);

}  // namespace culprit::watch
