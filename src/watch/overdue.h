// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a call or a compilation that may never come back.
#pragma once

#include <optional>
#include <string_view>

#include "watch/watched_compiled.h"

namespace culprit::watch {

/// On disk while it lasts, if the level asks for that.
class RecordedScope {
 public:
  RecordedScope(const GraphWatch& watched, const backend::Values& inputs, const repro::RunSettings& run);
  ~RecordedScope();
  RecordedScope(const RecordedScope&) = delete;
  RecordedScope& operator=(const RecordedScope&) = delete;

 private:
  CrashRecord* record_ = nullptr;
};

/// Reported if it takes longer than the settings allow, with the stacks of all threads; then the process goes
/// on waiting, or ends with kTimeoutExitCode. Inside of another one, of the same thread, only the inner one
/// counts: what hangs at the lower point is told there. The outer one has the whole time again behind it.
class LimitedScope {
 public:
  /// All of it has to outlive the scope. Without a phase there is no limit yet.
  LimitedScope(const GraphWatch& watched, const backend::Values& inputs, const repro::RunSettings& run,
               std::optional<backend::FailurePhase> phase = std::nullopt);
  ~LimitedScope();
  LimitedScope(const LimitedScope&) = delete;
  LimitedScope& operator=(const LimitedScope&) = delete;

  /// What a check does from now on, as it announces it (check/verdict/same_two_models.h), for which it has
  /// the whole time. What is not the compiler's, running eager and comparing, takes as long as it takes.
  void Enter(std::string_view announced);

 private:
  void Start();

  const GraphWatch& watched_;
  const backend::Values& inputs_;
  const repro::RunSettings& run_;
  std::optional<backend::FailurePhase> phase_;
  LimitedScope* outer_ = nullptr;
  std::optional<Watchdog::Scope> scope_;
};

/// As timeout(1).
inline constexpr int kTimeoutExitCode = 124;

}  // namespace culprit::watch
