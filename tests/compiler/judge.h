// SPDX-License-Identifier: Apache-2.0
//
// What a compiler makes of a graph, judged as the product judges it: eager runs twice and in float64,
// numbers, aliasing, written inputs and gradients are compared by the rules of src/compare.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "check/verdict/same_two_models.h"
#include "graph/ir/graph.h"

namespace culprit::tests {

struct Judgement {
  check::CheckStatus status = check::CheckStatus::kSame;
  /// Empty unless the compiler is wrong.
  std::string difference;
  /// Eager fails, so there is nothing to compare.
  bool is_eager_error() const { return status == check::CheckStatus::kReferenceFailed; }
  bool says_nothing() const { return is_eager_error() || status == check::CheckStatus::kReferenceUnstable; }
};

struct JudgeOptions {
  /// The strides of results count too.
  bool strides = false;
  /// What is off by less than so many times what a nudge of the inputs changes is no difference: in a deep
  /// model a number that is near 0 in front of a relu may decide about much.
  double noise = 0;
  int calls = 1;
};

Judgement Judge(backend::Backend& backend, const graph::Graph& graph, const std::vector<c10::IValue>& inputs,
                const JudgeOptions& options = {});

/// Any other way to compute it.
Judgement JudgeModel(const check::Model& reference, const check::Model& candidate,
                     const std::vector<c10::IValue>& inputs, const JudgeOptions& options = {});

/// The verdict in a few lines.
std::string Describe(const check::CheckResult& result);

}  // namespace culprit::tests
