// SPDX-License-Identifier: Apache-2.0
//
// A graph as a function in C++, one line per node:
//
//   Values Forward(const at::Tensor& x, int64_t s0) {
//     const int64_t add = Add(s0, 1);
//     const auto mul = Call<at::Tensor>("aten::mul.Tensor", {x, Wrapped(2.0)});
//     const auto [values, indices] = CallAll<at::Tensor, at::Tensor>("aten::sort", {mul, -1, false});
//     return {values};
//   }
//
// Arguments are converted as the interpreter converts them (graph/run/interpreter.h). Sizes are computed as
// in Python, except that an overflow is an error.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::repro {

struct CppGraphParts {
  const graph::Graph& graph;
  /// Of the placeholders.
  const graph::InputSpecs& inputs;
  /// By value.
  const std::vector<std::string>& names;
  /// One expression per constant of the graph. They are evaluated anew by every call, since a graph may write
  /// into its constants.
  const std::vector<std::string>& constants;
};

/// Lists in lists are an error that names the operator.
base::Result<std::string> CppForward(const CppGraphParts& parts);

}  // namespace culprit::repro
