// SPDX-License-Identifier: Apache-2.0
//
// The answer to the one question: does this graph still fail in the same way?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/failure/failure_signature.h"

namespace culprit::backend {

enum class Answer : uint8_t {
  kSameFailure,
  /// A find of its own, but not what is searched for.
  kOtherFailure,
  kPasses,
  /// Does not run in eager, so that it says nothing about a compiler.
  kInvalid,
};

constexpr std::string_view NameOf(Answer answer) {
  constexpr std::string_view kNames[] = {"same failure", "other failure", "passes", "invalid"};
  return kNames[static_cast<size_t>(answer)];
}

struct QuestionVerdict {
  Answer answer = Answer::kPasses;
  /// Of the failure, if there is one.
  std::optional<FailureSignature> signature = std::nullopt;
  /// One sentence: what differs from the failure that is searched for, why the graph is invalid. Empty if
  /// there is nothing to say.
  std::string reason = {};
};

}  // namespace culprit::backend
