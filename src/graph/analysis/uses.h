// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// For every value whether a node has it as an operand.
std::vector<bool> UsedByNodes(const Graph& graph);
/// For every value whether a node or the outputs mention it.
std::vector<bool> UsedValues(const Graph& graph);

}  // namespace culprit::graph
