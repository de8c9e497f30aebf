// SPDX-License-Identifier: Apache-2.0
//
// Forward and backward of a graph in one graph, as autograd would run them, one behind the other:
//
//   forward(x, w, tangent_0)                  placeholders: those of the captured graph, then the tangents
//     y = mul(x, w)                           forward nodes
//     mul_1 = mul(tangent_0, w)               backward nodes
//   return (y, mul_1)                         forward outputs, then gradients
//
// It is functional: nothing is written into but private copies (batch_norm's statistics), so that values can
// be saved, recomputed and merged freely.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::autograd {

struct Joint {
  graph::Graph graph;
  /// The last placeholders.
  size_t tangents = 0;
  /// The first outputs; the others are gradients.
  size_t forward_outputs = 0;
  /// The first nodes; the others are backward's.
  size_t forward_nodes = 0;
  /// Of each value; 0 for what is no tensor.
  std::vector<int64_t> bytes;
  /// The same, as long as nothing was changed since the trace; nothing for what is no tensor.
  std::vector<std::vector<int64_t>> sizes;
};

}  // namespace culprit::autograd
