// SPDX-License-Identifier: Apache-2.0
#include "cli/show/print.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <string>

#include "base/text.h"
#include "cli/show/exit_code.h"
#include "report/wrap.h"

namespace culprit::cli {
namespace {

/// The number of the first error; 0 while there is none.
int output_error = 0;

/// Of the terminal, and of the status that is on it.
std::mutex mutex;
std::string status_line;

bool Write(FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

void WipeStatus() {
  if (!status_line.empty()) static_cast<void>(Write(stderr, "\r\033[K"));
  status_line.clear();
}

}  // namespace

void WriteOut(std::string_view text) {
  const std::lock_guard lock(mutex);
  WipeStatus();
  if (output_error != 0) return;
  // A file or a program gets the very bytes.
  const bool is_terminal = isatty(fileno(stdout)) != 0;
  const std::string shown = is_terminal ? base::PrintableText(text, text.size()) : "";
  if (!Write(stdout, is_terminal ? shown : text)) output_error = errno;
}

void WriteErr(std::string_view text) {
  const std::lock_guard lock(mutex);
  WipeStatus();
  static_cast<void>(Write(stderr, base::PrintableText(text)));
}

void WriteMessage(std::string_view text) {
  WriteErr(report::Wrapped(text));
}

void PrintNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) PrintErr("{}\n", note);
}

void ShowStatus(std::string_view line) {
  const std::lock_guard lock(mutex);
  if (line == status_line) return;
  WipeStatus();
  if (line.empty()) return;
  status_line = line;
  static_cast<void>(Write(stderr, line));
}

bool OutputIsLost() {
  return output_error != 0;
}

int EndOutput(int status) {
  if (!OutputIsLost()) return status;
  if (output_error == EPIPE) return kNobodyReads;
  return Fail(base::SystemError({"culprit"}, "the output cannot be written", output_error), kEnvironment);
}

}  // namespace culprit::cli
