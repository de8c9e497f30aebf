// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/contiguous_copies.h"

#include "graph/analysis/memory_sets.h"
#include "graph/ir/rebuild.h"

namespace culprit::autograd {

using graph::Argument;
using graph::Graph;
using graph::NodeId;
using graph::Operator;
using graph::ValueId;

std::set<NodeId> PossibleCopies(const Graph& graph) {
  static const Operator& contiguous = Operator::Get("aten::contiguous");
  graph::MemorySets sets(graph);
  std::vector<bool> shared = WrittenSets(graph, sets);
  for (const Argument& output : graph.outputs())
    ForEachValue(output, [&](ValueId id) { shared[sets.SetOf(id)] = true; });
  std::set<NodeId> copies;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const graph::Node& node = graph.nodes()[i];
    if (node.op == &contiguous && !shared[sets.SetOf(node.results[0])]) copies.insert(NodeId(i));
  }
  return copies;
}

Graph WithCopies(const Graph& graph, const std::set<NodeId>& copies) {
  static const Operator& clone = Operator::Get("aten::clone");
  graph::Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    graph::Node node = graph.nodes()[i];
    // Both have a tensor and a memory format.
    if (copies.contains(NodeId(i))) node.op = &clone;
    rebuild.CopyNode(node);
  }
  rebuild.CopyOutputs();
  return std::move(rebuild).Take();
}

}  // namespace culprit::autograd
