// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// The first node that opens, maps or makes a file, if there is one: a graph of a stranger's has no business
/// there.
std::optional<NodeId> FirstFileOperator(const Graph& graph);

}  // namespace culprit::graph
