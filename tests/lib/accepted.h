// SPDX-License-Identifier: Apache-2.0
//
// Whether some numbers count as what a graph computes, with all that a check knows about noise.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/verdict/same_two_models.h"
#include "tests/lib/graph_builder.h"

namespace culprit::tests {

inline at::Tensor RunEager(TestGraph& g, const std::vector<c10::IValue>& inputs) {
  return graph::Interpreter(g.graph()).Run(inputs)[0].toTensor();
}

/// Of a graph with one output.
inline bool IsAccepted(TestGraph& g, const std::vector<c10::IValue>& inputs, const at::Tensor& actual) {
  const check::GraphModel reference(g.graph());
  const check::FunctionModel candidate = check::FunctionModel::Plain(
      [&](const std::vector<c10::IValue>&) -> c10::IValue { return c10::ivalue::Tuple::create({actual}); });
  const check::CheckResult result =
      check::SameTwoModels(reference, candidate, inputs, check::CheckOptions::Strict());
  EXPECT_TRUE(result.status == check::CheckStatus::kSame || result.status == check::CheckStatus::kDifferent)
      << result.message;
  return result.status == check::CheckStatus::kSame;
}

}  // namespace culprit::tests
