// SPDX-License-Identifier: Apache-2.0
#include "cli/child_streams.h"

#include <algorithm>
#include <cstdlib>

#include "base/internal_error.h"
#include "base/text.h"

namespace culprit::cli {
namespace {

/// The streams of the process while the command's prints are caught.
FILE* log_out = nullptr;
FILE* log_err = nullptr;

}  // namespace

CapturedPrints::CapturedPrints() {
  // Whoever dies does not flush.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  out_.original = log_out = stdout;
  err_.original = log_err = stderr;
  stdout = open_memstream(&out_.data, &out_.size);
  stderr = open_memstream(&err_.data, &err_.size);
  CULPRIT_CHECK(stdout != nullptr && stderr != nullptr, "there is no memory for the output");
}

CapturedPrints::Texts CapturedPrints::Take() {
  std::fclose(stdout);
  std::fclose(stderr);
  stdout = out_.original;
  stderr = err_.original;
  log_out = log_err = nullptr;
  Texts texts{{out_.data, out_.size}, {err_.data, err_.size}};
  std::free(out_.data);  // NOLINT: open_memstream's
  std::free(err_.data);  // NOLINT
  return texts;
}

CompilerOutput::CompilerOutput() : out_(stdout), err_(stderr) {
  if (log_out == nullptr) return;
  stdout = log_out;
  stderr = log_err;
}

CompilerOutput::~CompilerOutput() {
  std::fflush(stdout);
  stdout = out_;
  stderr = err_;
}

std::string PrintableLines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += "  " + base::Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string LinesBelow(std::string_view text) {
  std::string lines = "\n" + PrintableLines(text);
  while (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace culprit::cli
