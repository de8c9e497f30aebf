// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/uses.h"

namespace culprit::graph {
namespace {

void Note(const std::vector<Argument>& arguments, std::vector<bool>& used) {
  for (const Argument& argument : arguments)
    ForEachValue(argument, [&](ValueId id) { used[Index(id)] = true; });
}

}  // namespace

std::vector<bool> UsedByNodes(const Graph& graph) {
  std::vector<bool> used(graph.values().size());
  for (const Node& node : graph.nodes()) Note(node.arguments, used);
  return used;
}

std::vector<bool> UsedValues(const Graph& graph) {
  std::vector<bool> used = UsedByNodes(graph);
  Note(graph.outputs(), used);
  return used;
}

}  // namespace culprit::graph
