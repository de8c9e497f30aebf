// SPDX-License-Identifier: Apache-2.0
//
// Operators that copy only if they have to, made explicit. `to` gives back its operand itself if that has the
// wanted dtype already, and a copy otherwise. Once everything is cast to one dtype
// (graph/passes/cast_to_fp64.h), it would always give back its operand, and what is written into one would
// show in the other:
//
//   y = to.dtype(x, float32)       =>   y_1 = to.dtype(x, float32)       x was float16 in the run
//   z = add_(y, 1)                      y = clone(y_1)
//                                       z = add_(y, 1)
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// Runs the graph, if it has such operators, to see which of them copy; writes to placeholders reach the
/// caller's tensors. What an operator throws passes through.
Graph MakeCopiesExplicit(const Graph& graph, std::vector<c10::IValue> inputs);

}  // namespace culprit::graph
