// SPDX-License-Identifier: Apache-2.0
//
// The question of a search: does this program still fail in the same way? The search knows nothing of backends; the
// class that implements this does.
#pragma once

#include <vector>

#include "backend/failure/question_verdict.h"
#include "minify/program/program.h"

namespace culprit::minify {

using backend::Answer;

struct Reply {
  backend::QuestionVerdict verdict = {};
  /// Where the numbers are wrong, if that is the failure: indices of outputs.
  std::vector<size_t> wrong_outputs = {};
  /// False: nobody could be asked. The search ends, and the question stays open.
  bool is_answer = true;

  bool fails() const { return verdict.answer == Answer::kSameFailure; }
};

class FailureCheck {
 public:
  virtual ~FailureCheck() = default;
  /// Never throws, and may be called by several threads at once.
  virtual Reply Ask(const Program& program) = 0;
};

}  // namespace culprit::minify
