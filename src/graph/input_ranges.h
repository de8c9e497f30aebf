// SPDX-License-Identifier: Apache-2.0
//
// What the inputs of a graph may hold, judging by the operators they feed: an index has to be smaller than
// what it indexes, a variance positive, a probability between 0 and 1. Random numbers that ignore this give
// errors and NaNs that have nothing to do with the failure.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace culprit::graph {

struct InputRange {
  enum class Kind : uint8_t {
    /// Integers from 0 to bound - 1.
    kBelow,
    /// From 0 to 1.
    kUnit,
    /// Integers whose sum is the bound.
    kSumsTo,
  };
  Kind kind = Kind::kBelow;
  int64_t bound = 0;
  bool operator==(const InputRange&) const = default;
};

/// One per placeholder; nothing where any number will do. Runs the graph, on copies of the inputs and without
/// gradients: integers among them should be valid, as zeros always are. If the run fails, what was found
/// until then is returned.
std::vector<std::optional<InputRange>> FindInputRanges(const Graph& graph,
                                                       const std::vector<c10::IValue>& inputs);

}  // namespace culprit::graph
