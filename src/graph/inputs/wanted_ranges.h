// SPDX-License-Identifier: Apache-2.0
//
// What one call of an operator wants its operands to hold, judging by the sizes of the others:
//
//   index_select(x, 0, i)        i is below the size of x
//   index_put(x, [mask], y)      as many elements of the mask are true as y has rows
//   index_put(x, [i], y)         i is below the size of x, and nothing in it is there twice
#pragma once

#include <ATen/core/stack.h>

#include <vector>

#include "graph/inputs/input_range.h"
#include "graph/ir/graph.h"

namespace culprit::graph::inputs {

struct WantedRange {
  /// An operand of the call.
  ValueId value{};
  InputRange range;
};

/// `arguments` ends with the arguments of the call. Numbers of tensors are looked at only where sizes do not
/// tell.
std::vector<WantedRange> WantedRanges(const Node& node, const torch::jit::Stack& arguments);

}  // namespace culprit::graph::inputs
