// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/statistics.h"

#include <algorithm>

#include "graph/analysis/uses.h"

namespace culprit::graph {
namespace {

void CountNodes(const Graph& graph, Statistics& statistics) {
  for (const Node& node : graph.nodes()) {
    if (node.op->is_builtin()) {
      ++statistics.builtins;
      continue;
    }
    ++statistics.operators;
    ++statistics.calls_by_operator[node.op->qualified_name()];
    if (node.op->is_random()) ++statistics.random_operators;
    if (node.op->writes_any()) ++statistics.mutating_operators;
  }
}

void CountPlaceholders(const Graph& graph, Statistics& statistics) {
  for (const Placeholder& placeholder : graph.placeholders()) {
    switch (placeholder.kind) {
      case PlaceholderKind::kInput:
        ++statistics.inputs;
        break;
      case PlaceholderKind::kParameter:
        ++statistics.parameters;
        break;
      case PlaceholderKind::kBuffer:
        ++statistics.buffers;
        break;
    }
  }
}

size_t Depth(const Graph& graph) {
  std::vector<size_t> depth(graph.values().size(), 0);
  size_t deepest = 0;
  for (const Node& node : graph.nodes()) {
    size_t below = 0;
    for (const Argument& argument : node.arguments) {
      ForEachValue(argument, [&](ValueId id) { below = std::max(below, depth[Index(id)]); });
    }
    const size_t own = below + (node.op->is_builtin() ? 0 : 1);
    for (const ValueId result : node.results) depth[Index(result)] = own;
    deepest = std::max(deepest, own);
  }
  return deepest;
}

size_t UnusedValues(const Graph& graph) {
  const std::vector<bool> used = UsedValues(graph);
  return std::count(used.begin(), used.end(), false);
}

}  // namespace

Statistics ComputeStatistics(const Graph& graph) {
  Statistics statistics;
  CountNodes(graph, statistics);
  CountPlaceholders(graph, statistics);
  statistics.tensor_constants = graph.constants().size();
  for (const TensorConstant& constant : graph.constants())
    statistics.constant_bytes += constant.tensor.nbytes();
  statistics.outputs = graph.outputs().size();
  statistics.unused_values = UnusedValues(graph);
  statistics.depth = Depth(graph);
  return statistics;
}

}  // namespace culprit::graph
