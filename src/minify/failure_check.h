// SPDX-License-Identifier: Apache-2.0
//
// The question of a search: does this program still fail in the same way? Whoever answers it knows what a
// backend is; the search does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "minify/program.h"

namespace culprit::minify {

enum class Answer : uint8_t { kSameFailure, kOtherFailure, kPasses, kInvalid };

struct Reply {
  Answer answer = Answer::kPasses;
  /// Where the numbers are wrong, if that is the failure: indices of outputs.
  std::vector<size_t> wrong_outputs = {};
  /// The failure in one line, if there was one.
  std::string failure = {};
};

class FailureCheck {
 public:
  virtual ~FailureCheck() = default;
  /// Never throws, and may be called by several threads at once.
  virtual Reply Ask(const Program& program) = 0;
};

}  // namespace culprit::minify
