// SPDX-License-Identifier: Apache-2.0
#include "check/run/without_random.h"

#include <algorithm>

#include "graph/run/recording.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

/// What HoistRandom looks at.
std::vector<graph::ValueId> ValuesOfRandomOperators(const graph::Graph& graph) {
  std::vector<graph::ValueId> values;
  for (const graph::Node& node : graph.nodes()) {
    if (!graph::DrawsRandomNumbers(node)) continue;
    values.insert(values.end(), node.results.begin(), node.results.end());
    for (const graph::Argument& argument : node.arguments)
      graph::ForEachValue(argument, [&](graph::ValueId id) { values.push_back(id); });
  }
  return values;
}

}  // namespace

bool DrawsRandomNumbers(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes(), graph::DrawsRandomNumbers);
}

base::Result<graph::HoistedGraph> WithoutRandomOperators(const graph::Graph& graph,
                                                         const std::vector<c10::IValue>& inputs) {
  if (!DrawsRandomNumbers(graph)) return graph::HoistedGraph{graph, {}};
  return graph::HoistRandom(graph,
                            graph::Record(graph, graph::CopyAll(inputs), ValuesOfRandomOperators(graph)));
}

}  // namespace culprit::check
