// SPDX-License-Identifier: Apache-2.0
//
// What is said about a failure in a live program, and how it reaches whoever catches the exception.
//
// An exception of the program's own comes out as it is, except that its text ends with the lines of the
// report. It passes through layers that give it its final text (capture/vm/failure.h), so the report waits
// beside it, for this thread, until the call of the program ends. A backward pass is no such call: there the
// lines are added at once.
#pragma once

#include <c10/util/ThreadLocalDebugInfo.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace culprit::watch {

struct Notice {
  std::string graph;
  /// One line.
  std::string signature;
  /// Empty if it could not be written.
  std::string repro;

  /// graph, repro, and the command that makes it small; a line each, each ended.
  std::string Lines() const;
};

/// A call of the program, from outside. Calls may be nested.
class ProgramCall {
 public:
  ProgramCall();
  ~ProgramCall();
  ProgramCall(const ProgramCall&) = delete;
  ProgramCall& operator=(const ProgramCall&) = delete;

  /// In a handler: throws what was caught, with the lines of the report that waits, if one does.
  [[noreturn]] void Rethrow();

 private:
  std::optional<Notice> outer_;
};

/// Whether this thread is in one.
bool IsInProgramCall();

/// What threads of libtorch's report in a backward pass that this one waits for waits for the end of the call
/// of the program, too, as if the pass had run here.
class ReportsOfBackward {
 public:
  ReportsOfBackward();
  ~ReportsOfBackward();
  ReportsOfBackward(const ReportsOfBackward&) = delete;
  ReportsOfBackward& operator=(const ReportsOfBackward&) = delete;

  struct Shared;

 private:
  const std::shared_ptr<Shared> shared_;
  const c10::DebugInfoGuard guard_;
};

/// What this thread is about to throw has a report already.
bool IsReportWaiting();
/// It waits no longer.
std::optional<Notice> TakeWaitingReport();

/// In a handler: throws what was caught, and lets the report wait for the end of the program's call. Outside
/// of such a call the lines are added now.
[[noreturn]] void RethrowWith(const Notice& report);

/// In a handler: throws what was caught, of the same type, with more text. An exception of a type that cannot
/// be made anew is thrown as it is, and the text is a warning of libtorch's.
[[noreturn]] void RethrowWithText(const std::string& text);

}  // namespace culprit::watch
