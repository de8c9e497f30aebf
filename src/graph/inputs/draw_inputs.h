// SPDX-License-Identifier: Apache-2.0
//
// Inputs for a graph whose own are unknown, such that it runs: numbers are drawn in the ranges that its
// operators want (find_ranges.h). Where sizes alone do not tell these, the graph is run, and what its
// operators turn out to want is respected in the next round. A run ends at the first operator that fails, so
// there may be several.
//
//   take(x, i), take(y, repeat_interleave(j))     =>  i below the size of x; j below that of y
#pragma once

#include "base/result.h"
#include "graph/inputs/make_inputs.h"
#include "graph/ir/graph.h"

namespace culprit::graph::inputs {

/// MakeInputs with such numbers. A graph that names another device than the CPU is not run.
base::Result<MadeInputs> DrawInputs(const Graph& graph, const InputSpecs& specs,
                                    const MakeInputsOptions& options = {});

}  // namespace culprit::graph::inputs
