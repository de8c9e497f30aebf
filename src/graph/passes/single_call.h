// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// One call of a graph as a graph of its own, which returns all its results.
struct SingleCall {
  Graph graph;
  /// What its placeholders are in the graph that it was taken from, each once.
  std::vector<ValueId> takes;
};

SingleCall TakeCall(const Graph& graph, const Node& node);

}  // namespace culprit::graph
