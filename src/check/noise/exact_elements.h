// SPDX-License-Identifier: Apache-2.0
//
// The elements of a result that arithmetic did not round: 0 + 0.5 is 0.5 in every program, so that of many such
// elements the first is the smallest, whatever rounding does to others.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/util/FunctionRef.h>

#include <optional>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::check {

class ExactElements {
 public:
  /// Of a call, before it runs. Nothing for operators of which nobody knows when they round.
  static std::optional<ExactElements> Of(const graph::Node& node, const torch::jit::Stack& arguments);

  /// Calls `change` for the result of the call, piece by piece; elements that were exact are as before afterwards.
  void Keep(const at::Tensor& result, c10::function_ref<void(const at::Tensor& piece)> change) const;

  /// Whether r is exactly what an operator makes of a and b.
  using IsExact = bool (*)(double a, double b, double r);

 private:
  IsExact is_exact_ = nullptr;
  std::vector<at::Tensor> operands_;
};

}  // namespace culprit::check
