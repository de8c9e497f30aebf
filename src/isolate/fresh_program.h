// SPDX-License-Identifier: Apache-2.0
//
// This program, started anew: a process that has inherited nothing but its standard input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace culprit::isolate {

struct FreshProgram {
  /// Its exit code.
  int status = 0;
  std::string out;
  std::string err;
};

/// Starts this program with these words, of which the first is its name, and waits for it; it dies with this
/// process. What it prints is kept in memory. An error if it did not come to its end.
base::Result<FreshProgram> RunFreshProgram(const std::vector<std::string>& words, std::string_view input);

}  // namespace culprit::isolate
