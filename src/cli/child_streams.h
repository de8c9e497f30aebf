// SPDX-License-Identifier: Apache-2.0
//
// Who prints in a child? What the command prints goes back to the parent, stream by stream; what a compiler
// prints, in the middle of it, goes to the log of the child.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace culprit::cli {

/// Catches what is printed through the standard streams of C, until it is taken.
class CapturedPrints {
 public:
  CapturedPrints();
  CapturedPrints(const CapturedPrints&) = delete;
  CapturedPrints& operator=(const CapturedPrints&) = delete;

  struct Texts {
    std::string out;
    std::string err;
  };
  /// Ends the catching.
  Texts Take();

 private:
  struct Stream {
    FILE* original = nullptr;
    char* data = nullptr;
    size_t size = 0;
  };

  Stream out_;
  Stream err_;
};

/// While it lives, prints are a compiler's. Where nothing is caught it changes nothing.
class CompilerOutput {
 public:
  CompilerOutput();
  ~CompilerOutput();
  CompilerOutput(const CompilerOutput&) = delete;
  CompilerOutput& operator=(const CompilerOutput&) = delete;

 private:
  FILE* out_;
  FILE* err_;
};

/// Each line with two blanks in front, and as it is safe on a terminal.
std::string PrintableLines(std::string_view text);
/// The same below a note of a diagnostic, which ends without a line break.
std::string LinesBelow(std::string_view text);

}  // namespace culprit::cli
