// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/raise/raise.h"

#include "backends/torchscript/raise/raise_table.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::backends::torchscript {
namespace {

using graph::Node;

std::optional<RaisedCall> RaisedFormOf(const RaiseContext& context, const Node& node,
                                       backend::SwitchBoard& switches) {
  const bool is_plain = node.op->overload().empty();
  for (size_t i = 1; i < node.results.size(); ++i) {
    if (context.IsUsed(node.results[i])) return std::nullopt;
  }
  for (const RaiseRow& row : RaiseTable()) {
    if (!is_plain || node.op->name() != row.from) continue;
    std::optional<RaisedCall> raised = row.raise(context, node);
    if (raised && switches.Apply(row.name)) return raised;
  }
  return std::nullopt;
}

}  // namespace

graph::Graph Raise(const graph::Graph& graph, backend::SwitchBoard& switches) {
  VerifyPass(graph, "before", "Raise");
  const RaiseContext context(graph);
  graph::Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const Node& node : graph.nodes()) {
    const std::optional<RaisedCall> raised = RaisedFormOf(context, node, switches);
    if (!raised) {
      rebuild.CopyNode(node);
      continue;
    }
    std::vector<graph::Argument> arguments;
    for (const graph::Argument& argument : raised->arguments) arguments.push_back(rebuild.Map(argument));
    const std::string& name = graph.value(node.results[0]).name;
    const Node& call = rebuild.graph().AddNode(*raised->op, std::move(arguments), {name}, node.model_line);
    rebuild.Replace(node.results[0], call.results[0]);
  }
  rebuild.CopyOutputs();
  graph::Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "Raise");
  return result;
}

}  // namespace culprit::backends::torchscript
