// SPDX-License-Identifier: Apache-2.0
//
// Freezing: parameters and buffers become tensor constants, with the values they have now, as compilers need
// it that fold and pack weights.
//
//   forward(x, w, b)                      forward(x)
//     linear = linear(x, w, b)      =>      linear = linear(x, w, b)     w and b are constants
//
// A placeholder stays if some node writes into its memory, since its caller has to see that. One that is an
// output stays too, next to the constant, since it is the caller's own tensor that comes out.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

struct FrozenGraph {
  Graph graph;
  /// Which of the original placeholders the graph still takes, in order.
  std::vector<size_t> kept;
};

/// Of one input per original placeholder, those that a frozen graph still takes.
std::vector<c10::IValue> TakenInputs(std::vector<c10::IValue> inputs, const std::vector<size_t>& kept);

/// By placeholder: whether it is a parameter or a buffer, no node writes into its memory, and libtorch would
/// notice if somebody else did (tensors of the inference mode have no version).
std::vector<bool> FreezablePlaceholders(const Graph& graph, const std::vector<c10::IValue>& inputs);

/// One input per placeholder. Constants are copies of theirs, know nothing of autograd, and share memory
/// where the inputs do.
FrozenGraph FreezePlaceholders(const Graph& graph, const std::vector<c10::IValue>& inputs);

/// Nothing is frozen.
FrozenGraph KeepPlaceholders(Graph graph);

}  // namespace culprit::graph
