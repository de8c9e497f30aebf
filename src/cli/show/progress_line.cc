// SPDX-License-Identifier: Apache-2.0
#include "cli/show/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/show/print.h"

namespace culprit::cli {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(200);
/// Where there is no terminal.
constexpr auto kBetweenLines = std::chrono::seconds(30);

/// Asked every time: windows are resized.
size_t WidthOfTerminal() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::string ProgressText(const hunt::Progress& progress) {
  return fmt::format("{} of {} operators, {}, {}", progress.operators, progress.operators_before,
                     base::Counted(progress.questions, "question"), progress.strategy);
}

std::string FittedTo(size_t columns, const std::string& line) {
  // A terminal may break the line as soon as its last column is filled.
  if (columns == 0 || line.size() < columns) return line;
  return line.substr(0, columns - 1);
}

ProgressLine::ProgressLine(std::chrono::seconds patience)
    : patience_(patience), is_terminal_(isatty(STDERR_FILENO) != 0), thread_([this] { Repeat(); }) {}

ProgressLine::~ProgressLine() {
  Clear();
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  end_.notify_all();
  thread_.join();
}

void ProgressLine::Begin(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  began_ = Clock::now();
  printed_.reset();
  if (is_terminal_) Look();
}

void ProgressLine::Show(const hunt::Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (what_.empty()) began_ = Clock::now();
  what_ = ProgressText(progress);
  const bool is_smaller = progress.operators < operators_;
  operators_ = progress.operators;
  if (is_smaller) Print();
}

void ProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (is_terminal_) ShowStatus("");
  what_.clear();
  printed_.reset();
}

void ProgressLine::Repeat() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kBetweenLooks, [this] { return has_ended_; })) Look();
}

void ProgressLine::Look() {
  if (what_.empty()) return;
  const auto due = printed_ ? *printed_ + kBetweenLines : began_ + patience_;
  if (is_terminal_ || Clock::now() >= due) Print();
}

void ProgressLine::Print() {
  const Clock::time_point now = Clock::now();
  const std::string line = fmt::format("{}, {}", what_, base::DurationText(now - start_));
  if (!is_terminal_) {
    PrintErr("{}\n", line);
  } else {
    ShowStatus(FittedTo(WidthOfTerminal(), line));
  }
  printed_ = now;
}

}  // namespace culprit::cli
