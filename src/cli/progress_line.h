// SPDX-License-Identifier: Apache-2.0
//
// How far a search is. On a terminal one line that changes; elsewhere a line whenever the program got smaller
// by operators. How many questions may still come is found out only for a line that is shown:
//
//   23 of 412 operators, 17 questions, 8.2 per second, at most 40 more (5 s): quickxplain
#pragma once

#include <chrono>
#include <string>

#include "hunt/minify_repro.h"

namespace culprit::cli {

std::string ProgressText(const hunt::Progress& progress);

/// What of a line fits into a terminal without going over to the next one; 0 if the width is not known.
std::string FittedTo(size_t columns, const std::string& line);

/// Writes to standard error.
class ProgressLine {
 public:
  ProgressLine();
  /// Leaves the terminal as it was.
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const hunt::Progress& progress);
  /// Before something else is printed.
  void Clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  size_t operators_ = SIZE_MAX;
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace culprit::cli
