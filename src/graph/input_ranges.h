// SPDX-License-Identifier: Apache-2.0
//
// What the inputs and constants of a graph may hold, judging by the operators they feed: an index has to be
// smaller than what it indexes, a variance positive, a probability between 0 and 1. Random numbers that
// ignore this give errors and NaNs that have nothing to do with the failure.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace culprit::graph {

struct InputRange {
  /// In the order in which they win where several operators want different things.
  enum class Kind : uint8_t {
    /// From 0 to 1; integers are 0 or 1.
    kUnit,
    /// More than 0, up to 1; integers from 1 to 9.
    kPositive,
    /// Integers from 0 to bound - 1.
    kBelow,
    /// Integers whose sum is the bound.
    kSumsTo,
  };
  Kind kind = Kind::kUnit;
  int64_t bound = 0;
  bool operator==(const InputRange&) const = default;
};

/// Nothing where any number will do.
using InputRanges = std::vector<std::optional<InputRange>>;

/// Narrows `known` to what `also` wants; returns whether that changed anything. Of several bounds the
/// smallest holds.
bool Narrow(std::optional<InputRange>& known, const std::optional<InputRange>& also);

struct FoundRanges {
  /// One per placeholder.
  InputRanges inputs;
  /// One per tensor constant.
  InputRanges constants;
  /// The run came to its end; without it there may be more to find.
  bool complete = false;
};

/// Runs the graph, on copies of the inputs, without gradients, and without a trace in the CPU's generator. If
/// that fails, what was found until then is returned; draw_inputs.h goes on from there.
FoundRanges FindInputRanges(const Graph& graph, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::graph
