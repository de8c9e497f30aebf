// SPDX-License-Identifier: Apache-2.0
//
// Copies of numbers that carry no rounding, right before an operator that rounds inside takes them: a run that
// moves the copies by a unit in the last place is as good as eager's, and what is specified to the last bit
// (exactness.h) gets the inputs as they are.
//
//   y = floor_divide(x, 0.1)   =>   y = floor_divide(x, 0.1)
//   z = matmul(x, y)                x_1 = clone(x); y_1 = clone(y)
//                                   z = matmul(x_1, y_1)
#pragma once

#include <cstdint>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::check {

enum class Movement : uint8_t {
  kNone,
  /// Of an input, or a view of one.
  kAll,
  /// Of what was computed, and of constants: masks, counts and places are whole.
  kFractions
};

/// Of the result of a node.
struct MovedCopy {
  Movement movement = Movement::kNone;
  /// For an operator that rounds inside only then (exactness.h).
  bool only_complex = false;

  bool operator==(const MovedCopy&) const = default;
};

struct MovableGraph {
  graph::Graph graph;
  /// One per node.
  std::vector<MovedCopy> copies;
};

MovableGraph CopyWhereMoved(const graph::Graph& graph);

}  // namespace culprit::check
