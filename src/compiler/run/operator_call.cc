// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/operator_call.h"

#include <map>

namespace culprit::compiler::run {

using graph::Argument;
using graph::Graph;
using graph::ValueId;

struct OperatorCall::Parts {
  std::vector<loops::ValueIndex> takes;
  std::vector<loops::ValueIndex> gives;
  Graph graph;
};

// A graph of this node alone.
OperatorCall::Parts OperatorCall::Take(const loops::Program& program, graph::NodeId id) {
  const Graph& source = *program.graph;
  const graph::Node& node = source.node(id);
  Parts parts;
  std::map<ValueId, ValueId> known;
  const auto placeholder = [&](ValueId value) {
    const auto found = known.find(value);
    if (found != known.end()) return Argument(found->second);
    const graph::Value& old = source.value(value);
    const ValueId added = parts.graph.AddPlaceholder(old.name, graph::PlaceholderKind::kInput, old.kind);
    known.emplace(value, added);
    parts.takes.push_back(program.value_of[graph::Index(value)]);
    return Argument(added);
  };
  std::vector<Argument> arguments;
  for (const Argument& argument : node.arguments) arguments.push_back(MapValues(argument, placeholder));
  std::vector<std::string> names;
  for (const ValueId result : node.results) {
    names.push_back(source.value(result).name);
    parts.gives.push_back(program.value_of[graph::Index(result)]);
  }
  const graph::Node& copy = parts.graph.AddNode(*node.op, std::move(arguments), std::move(names));
  parts.graph.SetOutputs({copy.results.begin(), copy.results.end()});
  return parts;
}

OperatorCall::OperatorCall(const loops::Program& program, graph::NodeId node)
    : OperatorCall(Take(program, node)) {}

OperatorCall::OperatorCall(Parts parts)
    : takes_(std::move(parts.takes)), gives_(std::move(parts.gives)), interpreter_(parts.graph) {}

}  // namespace culprit::compiler::run
