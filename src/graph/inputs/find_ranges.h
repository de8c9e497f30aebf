// SPDX-License-Identifier: Apache-2.0
//
// The ranges of a graph's inputs and constants. Sizes are enough to know most of them, so the graph is run on
// fakes, which costs little however large it is. What depends on numbers ends that run: numbers of a result
// that decide a size, for example. Then the graph is run on the numbers that its inputs have now, up to a
// limit.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/inputs/input_range.h"
#include "graph/ir/graph.h"

namespace culprit::graph::inputs {

struct FoundRanges {
  /// One per placeholder.
  InputRanges inputs;
  /// One per tensor constant.
  InputRanges constants;
  /// The run came to its end; without it there may be more to find.
  bool complete = false;
};

/// By sizes alone: numbers of tensors are not looked at.
FoundRanges FindRangesBySizes(const Graph& graph, const std::vector<c10::IValue>& inputs);

/// Runs the graph, on copies of the inputs, without gradients, and without a trace in the CPU's generator. It
/// ends at an operator that fails, and where operators have read and made more than `most_bytes`.
FoundRanges FindRangesByRunning(const Graph& graph, const std::vector<c10::IValue>& inputs,
                                int64_t most_bytes = int64_t{512} << 20);

/// By sizes, and by running if these do not tell all.
FoundRanges FindRanges(const Graph& graph, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::graph::inputs
