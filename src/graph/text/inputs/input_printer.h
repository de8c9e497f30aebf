// SPDX-License-Identifier: Apache-2.0
//
// Writes the function load_args (graph/text/inputs/input_calls.h).
#pragma once

#include <string>

#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::graph::text {

/// One input per placeholder of the graph.
std::string PrintLoadArgs(const Graph& graph, const InputSpecs& specs);

}  // namespace culprit::graph::text
