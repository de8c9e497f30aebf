// SPDX-License-Identifier: Apache-2.0
//
// How this program prints. Nothing throws: what goes to standard error may be lost without harm, and a
// command that shows its results does not want to ask each time whether they arrived. That is asked once, in
// the end:
//
//   PrintOut("{}\n", table);
//   PrintErr("note: {}\n", remark);
//   return EndOutput(status);       kEnvironment if the table did not arrive
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace culprit::cli {

/// To standard output, at once. A terminal gets it as base::PrintableText shows it, since names in it may
/// come from a stranger; a file or a program gets the very bytes.
void WriteOut(std::string_view text);
/// To standard error, if that can be written; as base::PrintableText shows it.
void WriteErr(std::string_view text);
/// The same, in lines that a terminal holds (report/wrap.h).
void WriteMessage(std::string_view text);

template <typename... T>
void PrintOut(fmt::format_string<T...> format, T&&... arguments) {
  WriteOut(fmt::format(format, std::forward<T>(arguments)...));
}

template <typename... T>
void PrintErr(fmt::format_string<T...> format, T&&... arguments) {
  WriteMessage(fmt::format(format, std::forward<T>(arguments)...));
}

/// Notes of a child (open/notes.h), a line each.
void PrintNotes(const std::vector<std::string>& notes);

/// A line below all that is printed: on a terminal, for the time being (progress_line.h). Whatever is printed
/// takes its place; an empty one wipes it. May be called by any thread.
void ShowStatus(std::string_view line);

/// Whether something could not be written to standard output, so that there is no point in showing more.
bool OutputIsLost();

/// At the end of a process: its exit code, which is another one if output was lost. An error says why, unless
/// the reader has gone away, as in `culprit graph net.py | head -1`.
int EndOutput(int status);

}  // namespace culprit::cli
