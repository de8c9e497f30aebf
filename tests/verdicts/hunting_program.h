// SPDX-License-Identifier: Apache-2.0
//
// Hunts as users start them: `culprit hunt MODEL --json`.
#pragma once

#include <string>
#include <vector>

namespace culprit::tests {

struct ProgramHunt {
  /// 0: nothing was found, 1: something was.
  int exit_code = 0;
  /// "call 1: exception ..."; empty if nothing was found.
  std::string signature;
  /// "aten::conv2d aten::avg_pool2d", in program order.
  std::string guilty;
  bool verified = false;
  double seconds = 0;
  /// What it printed on standard error.
  std::string log;

  /// One line for people.
  std::string ToString() const;
};

/// With these words behind "hunt"; its folder is a temporary one.
ProgramHunt HuntWithProgram(std::vector<std::string> words);

}  // namespace culprit::tests
