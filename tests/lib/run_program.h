// SPDX-License-Identifier: Apache-2.0
//
// Runs a program as a child process and brings back everything it wrote.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace culprit::tests {

struct ProgramRun {
  /// As a shell shows it: 128 + the signal if one ended the program.
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// A variable without a value is taken out of the child's environment; the others come on top of this one's.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// Waits for the program's end. The command's first word is the path of the program.
ProgramRun RunProgram(const std::vector<std::string>& command, const EnvironmentChanges& changes = {});

}  // namespace culprit::tests
