// SPDX-License-Identifier: Apache-2.0
//
// Commands that open files of strangers, or run compilers, do their work in a child, with limits: whatever
// happens there, this process goes on and says what it was.
//
//   int Run(const Options& options) {
//     if (!InChild()) return RunInChild();     the same command line, in a child
//     ...                                      the work; prints go back to the parent
//   }
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"

namespace culprit::cli {

/// Before the first command: what RunInChild repeats.
void RememberCommandLine(int argc, char** argv);

bool InChild();

/// For commands that read a file and print: more time and memory than a query has.
inline constexpr isolate::Limits kReadingLimits = {.wall_time = std::chrono::minutes(10),
                                                   .memory_bytes = uint64_t{16} << 30};

/// Prints what the child printed and returns its exit code; its death is an error with what is known about
/// it.
int RunInChild(const isolate::Limits& limits = kReadingLimits);

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
                                          const isolate::Limits& limits = kReadingLimits);

/// Forks the process that children come from, if nobody had a child yet. To be called before a thread is
/// started.
base::Status PrepareChildren();

/// Of a child that was only to open a file.
base::Diagnostic DeathOfChild(const isolate::Outcome& death);

/// What this process was started with.
const std::vector<std::string>& CommandLine();

}  // namespace culprit::cli
