// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a call or a compilation that may never come back.
#pragma once

#include <optional>

#include "watch/watched_compiled.h"

namespace culprit::watch {

/// On disk while it lasts, if the level asks for that.
class RecordedScope {
 public:
  RecordedScope(const Watched& watched, const backend::Values& inputs, const repro::RunSettings& run);
  ~RecordedScope();
  RecordedScope(const RecordedScope&) = delete;
  RecordedScope& operator=(const RecordedScope&) = delete;

 private:
  CrashRecord* record_ = nullptr;
};

/// Reported if it takes longer than the settings allow, with the stacks of all threads; then the process goes
/// on waiting, or ends with kTimeoutExitCode.
class LimitedScope {
 public:
  /// All of it has to outlive the scope.
  LimitedScope(const Watched& watched, const backend::Values& inputs, const repro::RunSettings& run,
               backend::FailurePhase phase);

 private:
  std::optional<Watchdog::Scope> scope_;
};

/// As timeout(1).
inline constexpr int kTimeoutExitCode = 124;

}  // namespace culprit::watch
