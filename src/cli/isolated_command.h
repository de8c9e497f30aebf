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
/// Another command line in a child: what it printed, or how it died.
using ChildEnding = std::variant<ChildPrints, isolate::Outcome>;
base::Result<ChildEnding> EndingInChild(const std::vector<std::string>& words, const isolate::Limits& limits);
/// As above; an error if the child died.
base::Result<ChildPrints> RunWordsInChild(const std::vector<std::string>& words,
                                          const isolate::Limits& limits = {});

/// Of this process, read once: several children may want it.
base::Result<std::shared_ptr<isolate::SharedMemory>> StandardInput();

/// What this process was started with.
const std::vector<std::string>& CommandLine();

}  // namespace culprit::cli
