// SPDX-License-Identifier: Apache-2.0
//
// A command: its name, its one line in the list, and how it adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace culprit::cli {

/// Exit codes; README.md and `culprit --help` list them.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,
  kUsage = 2,
  kInternal = 3,
  kInterrupted = 130,
};

struct Command {
  const char* name;
  const char* description;
  /// Declares the options; the function it returns does the work and gives the exit code.
  std::function<int()> (*declare)(CLI::App& app);
};

/// Prints the error to standard error and returns the exit code.
int Fail(const base::Diagnostic& error, ExitCode code = kUsage);

/// In the order of the list in --help.
const std::vector<Command>& AllCommands();

std::function<int()> DeclareConvert(CLI::App& app);
std::function<int()> DeclareGraph(CLI::App& app);
std::function<int()> DeclareRun(CLI::App& app);

}  // namespace culprit::cli
