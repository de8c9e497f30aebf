// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/single_call.h"

#include <map>

namespace culprit::graph {

SingleCall TakeCall(const Graph& graph, const Node& node) {
  SingleCall call;
  std::map<ValueId, ValueId> known;
  const auto placeholder = [&](ValueId id) {
    const auto found = known.find(id);
    if (found != known.end()) return Argument(found->second);
    const Value& value = graph.value(id);
    const ValueId added = call.graph.AddPlaceholder(value.name, PlaceholderKind::kInput, value.kind);
    known.emplace(id, added);
    call.takes.push_back(id);
    return Argument(added);
  };
  std::vector<Argument> arguments;
  for (const Argument& argument : node.arguments) arguments.push_back(MapValues(argument, placeholder));
  std::vector<std::string> names;
  for (const ValueId result : node.results) names.push_back(graph.value(result).name);
  const Node& copy = call.graph.AddNode(*node.op, std::move(arguments), std::move(names));
  call.graph.SetOutputs({copy.results.begin(), copy.results.end()});
  return call;
}

}  // namespace culprit::graph
