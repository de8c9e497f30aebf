// SPDX-License-Identifier: Apache-2.0
//
// Commands that open files of strangers, or run compilers, do their work in a child, with limits: whatever
// happens there, this process goes on and says what it was.
//
//   int Run(const Options& options) {
//     if (!InChild()) return RunInChild(options.limits, ...);     the same command line, in a child
//     ...                                                         the work; prints go back to the parent
//   }
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "isolate/limits.h"
#include "isolate/outcome.h"
#include "isolate/shared_memory.h"

namespace culprit::cli {

/// Before the first command: what RunInChild repeats.
void RememberCommandLine(int argc, char** argv);

bool InChild();

/// What the command does here if the child died; it has printed nothing then.
using OnDeath = std::function<int(const isolate::Outcome&)>;

/// Prints what the child printed and returns its exit code.
int RunInChild(const isolate::Limits& limits, const OnDeath& on_death);
/// As above; a death is an error with what is known about it.
int RunInChild(const isolate::Limits& limits = {});

struct ChildPrints {
  int status = 0;
  std::string out;
  std::string err;
};
/// Prints it here; gives the status.
int Relay(const ChildPrints& prints);

/// Another command line in a child: what it printed, or how it died.
using ChildEnding = std::variant<ChildPrints, isolate::Outcome>;
base::Result<ChildEnding> EndingInChild(const std::vector<std::string>& words, const isolate::Limits& limits);
/// As above; an error if the child died.
base::Result<ChildPrints> RunWordsInChild(const std::vector<std::string>& words,
                                          const isolate::Limits& limits = {});

/// Whether the file is to be read from standard input: it is "-", or a pipe that this process has there.
bool IsPipedFile(const std::string& file);
/// Of standard input ("-") or a pipe, which can be read once only; the same however often it is asked for.
base::Result<std::shared_ptr<isolate::SharedMemory>> PipedContents(const std::string& file);

/// While it lives, what is printed is a compiler's: it goes to the log of the child, and not among the
/// results of the command.
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

/// What this process was started with.
const std::vector<std::string>& CommandLine();

}  // namespace culprit::cli
