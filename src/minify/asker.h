// SPDX-License-Identifier: Apache-2.0
//
// Puts questions to a check, several at a time, and each only once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <optional>

#include "minify/walk.h"

namespace culprit::minify {

class Asker {
 public:
  /// The check has to outlive it.
  Asker(FailureCheck& check, size_t at_a_time) : check_(check), at_a_time_(at_a_time) {}
  /// Waits for all answers.
  ~Asker() = default;

  bool has_room() const;
  /// Questions that were put to the check.
  size_t asked() const { return asked_; }

  /// Asks unless it was asked before. There has to be room.
  void Ask(const Candidate& candidate);
  bool WasAsked(const graph::Hash128& hash) const;
  /// Nothing if it is not there yet.
  std::optional<Reply> AnswerTo(const graph::Hash128& hash) const;

  /// Until an answer has come since the last call, if any is to come.
  void WaitForAnAnswer();
  /// As long as an answer usually takes, if half of that is over and it has not come.
  void WaitIfDue(const graph::Hash128& hash);

 private:
  using Clock = std::chrono::steady_clock;

  FailureCheck& check_;
  const size_t at_a_time_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  bool has_news_ = false;
  size_t in_flight_ = 0;
  size_t asked_ = 0;
  /// Of the answer that came last.
  Clock::duration usual_time_ = {};
  struct Asked {
    Clock::time_point since = Clock::now();
    /// Nothing while it is on its way.
    std::optional<Reply> reply = std::nullopt;
  };
  std::map<graph::Hash128, Asked> asked_about_;
  /// Last, so that they are waited for first.
  std::vector<std::future<void>> threads_;
};

}  // namespace culprit::minify
