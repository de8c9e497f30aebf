// SPDX-License-Identifier: Apache-2.0
//
// A second run of a graph, in float64, on the same inputs and with the same random numbers: what the first
// run would have given with far less rounding.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "graph/graph.h"

namespace culprit::cli {

/// Random operators give what they draw from `seed` in the graph's own precision. Refuses, by name, graphs
/// that cannot be cast (graph/hoist_random.h, graph/cast_to_fp64.h). The inputs are left as they are; what an
/// operator throws passes through.
base::Result<std::vector<c10::IValue>> RunInFp64(const graph::Graph& graph,
                                                 const std::vector<c10::IValue>& inputs, uint64_t seed);

}  // namespace culprit::cli
