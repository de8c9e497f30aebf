// SPDX-License-Identifier: Apache-2.0
//
// What goes on, for somebody who waits, with the time since it all began. On a terminal it is one line that
// changes. Elsewhere it is a line for what takes longer than people are patient, the same again every half
// minute, and one whenever the program got smaller by operators:
//
//   run 2 of 3 (at most 60 s each), 14 s
//   23 of 412 operators, 17 questions, quickxplain, 21 s
//
// How much is still to do nobody knows: most strategies end long before they have asked all they might ask.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "hunt/run/minify_repro.h"

namespace culprit::cli {

std::string ProgressText(const hunt::Progress& progress);

/// What of a line fits into a terminal without going over to the next one; 0 if the width is not known.
std::string FittedTo(size_t columns, const std::string& line);

/// With a job of many minutes, and with one that mostly takes no time.
inline constexpr auto kPatience = std::chrono::seconds(1);
inline constexpr auto kMorePatience = std::chrono::seconds(5);

/// Writes to standard error, from a thread of its own: while one lives its process should not fork, except to
/// become another program.
class ProgressLine {
 public:
  explicit ProgressLine(std::chrono::seconds patience = kPatience);
  /// Leaves the terminal as it was.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// From now on this is done.
  void Begin(std::string what);
  /// The search has come so far.
  void Show(const hunt::Progress& progress);
  /// Nothing goes on, until something begins.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  void Repeat();
  /// These with the mutex locked.
  void Look();
  void Print();

  const std::chrono::seconds patience_;
  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable end_;
  bool has_ended_ = false;
  /// Empty if there is nothing to show.
  std::string what_;
  Clock::time_point began_;
  /// Since then; nothing if it was not shown yet.
  std::optional<Clock::time_point> printed_;
  size_t operators_ = SIZE_MAX;
  std::thread thread_;
};

}  // namespace culprit::cli
