// SPDX-License-Identifier: Apache-2.0
//
// From how a query ended to the signature of its failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/failure/failure_kinds.h"
#include "backend/failure/failure_signature.h"
#include "check/verdict/how_wrong.h"
#include "check/verdict/same_two_models.h"
#include "isolate/query/outcome.h"

namespace culprit::check {

/// Announced by a child that reads a repro, until the graph runs (isolate/query/task.h).
inline constexpr std::string_view kLoadPhase = "load";

/// What one query has shown.
struct Finding {
  /// Nothing: the compiled graph does what eager does.
  std::optional<backend::FailureSignature> failure;
  /// What failed beside it and is no consequence of it: an input that was written, where an output is wrong
  /// too. A smaller graph may show the failure that is searched for only here, since results of in-place
  /// operators become outputs when the rest is cut off.
  std::vector<backend::FailureSignature> also;
  /// Failures of kinds that were set aside, the first of each kind. What is signed is the first failure that
  /// is not among them.
  std::vector<backend::FailureSignature> ignored = {};
  /// Of the failure, if results are wrong.
  std::optional<HowWrong> how_wrong = std::nullopt;
  /// Of a crash or an exception in a server: where its Python was, innermost first (python_frames.h).
  std::vector<std::string> python_frames = {};
  /// Why the question makes no sense for this graph: it cannot be read, does not run in eager, or never twice
  /// the same, or cannot be handed to the compiler. Empty if it does.
  std::string invalid;
  /// What to type: if a limit has ended it and it deserves more, if it cannot be handed to the compiler.
  std::string help;
  /// What differs is not far beyond the noise (compare/noise.h).
  bool is_near_noise = false;
  /// Indices of the outputs that are wrong, if numbers or structure are.
  std::vector<size_t> wrong_outputs;
  /// What makes the answer weaker than it looks, one sentence each.
  std::vector<std::string> warnings;

  bool passes() const { return !failure && invalid.empty(); }
};

/// Why eager failed with this message: the machine's memory has run out, or it is the graph.
base::Cause CauseOfReference(std::string_view message);

Finding SignCheck(const CheckResult& check, const backend::FailureKinds& ignored = {});

/// Signs a child that gave no result: it crashed, hung, used up its memory or exited. The phase that it announced last
/// says whose fault that is.
Finding SignEnding(const isolate::Outcome& outcome, const backend::FailureKinds& ignored = {});

}  // namespace culprit::check
