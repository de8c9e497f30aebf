// SPDX-License-Identifier: Apache-2.0
//
// Hoisting random operators: what they drew in a recorded run becomes an input, so that the graph computes
// the same thing in every precision and under every compiler (libtorch draws other numbers for other dtypes).
//
//   r = rand([2, 3])             =>   r is a placeholder
//   b = bernoulli_(x, 0.5)       =>   b = copy_(x, b_1), b_1 is a placeholder
//   d, mask = native_dropout(x)  =>   d_1 = mul(x, mask), d = mul(d_1, scale), mask is a placeholder
//   d = dropout(x, p, True)      =>   d_2 = div(d_1, 1 - p), d = mul(x, d_2), d_1 is a placeholder of 0 and 1
//
// An operator whose result depends smoothly on its operands and on what it draws (normal with a tensor as
// mean) cannot be replaced without computing with the recorded precision; it is refused by name.
#pragma once

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/run/recording.h"

namespace culprit::graph {

struct HoistedGraph {
  Graph graph;
  /// For the placeholders that were added behind the original ones. Copies: a run may write into them.
  std::vector<c10::IValue> added_inputs;
};

base::Result<HoistedGraph> HoistRandom(const Graph& graph, const Recording& recording);

/// Whether the call draws random numbers: not if it is a dropout that is switched off by its arguments.
bool DrawsRandomNumbers(const Node& node);

}  // namespace culprit::graph
