// SPDX-License-Identifier: Apache-2.0
//
// An operator is left out and one of its operands takes the place of its result, with a cheap adapter if the
// two look different. What drop cannot do: it cuts a chain in two, this one keeps it whole.
//
//   a = conv(x); b = sigmoid(a); c = tanh(b)   =>   a = conv(x); c = tanh(a)
#include <fmt/format.h>

#include "graph/analysis/uses.h"
#include "minify/rewrite/adapter.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::NodeId;
using graph::ValueId;

struct Detour {
  std::string node;
  std::string operand;
};

std::optional<ValueId> OperandNamed(const graph::Graph& graph, const graph::Node& node,
                                    const std::string& name) {
  std::optional<ValueId> found;
  for (const graph::Argument& argument : node.arguments) {
    ForEachValue(argument, [&](ValueId id) {
      if (graph.value(id).name == name) found = id;
    });
  }
  return found;
}

base::Result<Program> Apply(const Subject& subject, const Detour& detour) {
  const std::vector<NodeId> nodes = subject.Find({detour.node});
  if (nodes.empty()) return base::Diagnostic{{}, "the operator is gone"};
  const graph::Graph& graph = subject.graph();
  const graph::Node& bypassed = graph.node(nodes[0]);
  const std::optional<ValueId> operand = OperandNamed(graph, bypassed, detour.operand);
  if (!operand) return base::Diagnostic{{}, "the operand is gone"};
  const std::optional<graph::Geometry> from = GeometryOf(subject, *operand);
  const std::optional<graph::Geometry> to = GeometryOf(subject, bypassed.results[0]);
  if (!from || !to) return base::Diagnostic{{}, "no plain tensor"};
  graph::Rebuild rebuild(graph);
  graph::FreshNames names(graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const graph::Node& node : graph.nodes()) {
    if (&node != &bypassed) {
      rebuild.CopyNode(node);
      continue;
    }
    const std::optional<graph::Argument> adapted =
        Adapt(rebuild, names, rebuild.Map(*operand).value(), *from, *to);
    if (!adapted) return base::Diagnostic{{}, "the operand is too different"};
    rebuild.Replace(bypassed.results[0], *adapted);
  }
  rebuild.CopyOutputs();
  return Program{std::move(rebuild).Take(), subject.program().inputs};
}

/// From the end backwards: calls `visit(node, operand)`.
void ForEachDetour(const Subject& subject, const auto& visit) {
  const graph::Graph& graph = subject.graph();
  const std::vector<bool> used = graph::UsedByNodes(graph);
  for (uint32_t i = subject.operators(); i-- > 0;) {
    const graph::Node& node = graph.node(NodeId(i));
    // At the end of a chain it would be a drop.
    if (node.results.size() != 1 || !used[Index(node.results[0])]) continue;
    if (!GeometryOf(subject, node.results[0])) continue;
    for (const graph::Argument& argument : node.arguments) {
      ForEachValue(argument, [&](ValueId id) {
        if (GeometryOf(subject, id)) visit(NodeId(i), id);
      });
    }
  }
}

Edit TakeDetour(Detour detour) {
  std::string what = fmt::format("let {} take the place of {}", detour.operand, detour.node);
  return {std::move(what), [detour = std::move(detour)](const Subject& now) { return Apply(now, detour); }};
}

std::vector<Edit> EditsOf(const Subject& subject) {
  std::vector<Edit> edits;
  ForEachDetour(subject, [&](NodeId node, ValueId operand) {
    edits.push_back(TakeDetour({subject.NameOf(node), subject.graph().value(operand).name}));
  });
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeBypass() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
