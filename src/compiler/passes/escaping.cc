// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/escaping.h"

namespace culprit::compiler::passes {

std::vector<bool> EscapingValues(const graph::Graph& graph) {
  std::vector<bool> escapes(graph.values().size());
  const auto escape = [&](graph::ValueId id) { escapes[graph::Index(id)] = true; };
  for (const graph::Argument& output : graph.outputs()) ForEachValue(output, escape);
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    const graph::Node& node = graph.nodes()[i];
    for (size_t result = 0; result < node.results.size(); ++result) {
      if (!escapes[graph::Index(node.results[result])]) continue;
      for (size_t argument = 0; argument < node.arguments.size(); ++argument)
        if (node.op->may_alias(result, argument)) ForEachValue(node.arguments[argument], escape);
    }
  }
  return escapes;
}

}  // namespace culprit::compiler::passes
