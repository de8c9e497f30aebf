// SPDX-License-Identifier: Apache-2.0
//
// Programs as capture runs them, with eager as the compiler unless another is named (NAME[:options]), and
// what was met on the way. They have to leave behind what libtorch's own interpreter does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/capture/hazard.h"

namespace culprit::tests {

struct Coverage {
  size_t graphs = 0;
  size_t operators = 0;
  size_t recaptures = 0;
  /// Operators that were computed on zeros.
  std::map<std::string, int64_t> fallbacks;
  /// By code.
  std::map<std::string_view, size_t> breaks;
  /// Graphs that autograd does not split, though the compiler wants them so.
  size_t unsplit = 0;
  /// Calls in which something was forgiven (tests/capture/forgiven.h).
  size_t forgiven = 0;
  /// Mistakes of capture itself, which the program did not get to feel.
  std::string internal_errors;
};

/// What the program has met is added when the last copy of the callable is gone.
Callable Captured(const model::Entry& entry, Coverage& coverage, const std::string& backend = "eager");

struct Comparison {
  /// By call, as libtorch's interpreter leaves them behind.
  std::vector<Observation> expected;
  /// What capture leaves behind otherwise, with the number of the call, and its internal errors; empty if
  /// nothing.
  std::string differences;
};

/// Makes all calls of the program with libtorch's interpreter and captured.
base::Result<Comparison> CompareCaptured(const Hazard& program, Coverage& coverage,
                                         const std::string& backend = "eager");

/// The same for a program's text, which the path gets: what differs, or why it cannot be compared.
std::string DifferencesWhenCaptured(const std::string& path, const std::string& text);

}  // namespace culprit::tests
