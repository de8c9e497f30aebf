// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

namespace culprit::cli {
namespace {

constexpr auto kShortestPause = std::chrono::milliseconds(100);

std::string Duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

/// Asked every time: windows are resized.
size_t WidthOfTerminal() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::string ProgressText(const hunt::Progress& progress) {
  std::string text = fmt::format("{} of {} operators, {}", progress.operators, progress.operators_before,
                                 base::Counted(progress.questions, "question"));
  if (progress.questions == 0 || progress.seconds <= 0) return fmt::format("{}: {}", text, progress.strategy);
  const double rate = static_cast<double>(progress.questions) / progress.seconds;
  const size_t bound = progress.bound();
  return fmt::format("{}, {:.1f} per second, at most {} more ({}): {}", text, rate, bound,
                     Duration(static_cast<double>(bound) / rate), progress.strategy);
}

std::string FittedTo(size_t columns, const std::string& line) {
  // A terminal may break the line as soon as its last column is filled.
  if (columns == 0 || line.size() < columns) return line;
  return line.substr(0, columns - 1);
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::Show(const hunt::Progress& progress) {
  const bool is_smaller = progress.operators < operators_;
  operators_ = progress.operators;
  if (!is_terminal_) {
    if (is_smaller) fmt::print(stderr, "{}\n", ProgressText(progress));
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!is_smaller && now - last_ < kShortestPause) return;
  last_ = now;
  is_shown_ = true;
  fmt::print(stderr, "\r\033[K{}", FittedTo(WidthOfTerminal(), ProgressText(progress)));
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (is_shown_) fmt::print(stderr, "\r\033[K");
  is_shown_ = false;
}

}  // namespace culprit::cli
