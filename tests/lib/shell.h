// SPDX-License-Identifier: Apache-2.0
//
// Runs a command as a user would type it, and brings back everything it said.
#pragma once

#include <string>

namespace culprit::tests {

struct ShellResult {
  /// The exit code, or 128 and the number of the signal that ended it.
  int status = 0;
  std::string output;
  std::string errors;
};

/// `command` is for sh. `culprit` is on its path: the program that was built along with this test.
ShellResult RunShell(const std::string& command);

}  // namespace culprit::tests
