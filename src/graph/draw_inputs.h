// SPDX-License-Identifier: Apache-2.0
//
// Inputs for a graph whose own are unknown, such that it runs: numbers are drawn, the graph is run, and what
// its operators turn out to want of their operands is respected in the next round. A run ends at the first
// operator that fails, so there may be several.
//
//   take(x, i), then take(y, j)     =>  i below the size of x, then j below the size of y
#pragma once

#include "base/result.h"
#include "graph/graph.h"
#include "graph/make_inputs.h"

namespace culprit::graph {

/// MakeInputs with such numbers. A graph that names another device than the CPU is not run.
base::Result<MadeInputs> DrawInputs(const Graph& graph, const InputSpecs& specs,
                                    const MakeInputsOptions& options = {});

}  // namespace culprit::graph
