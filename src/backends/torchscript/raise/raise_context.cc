// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/raise/raise_context.h"

#include <initializer_list>
#include <string>

#include "graph/analysis/memory_sets.h"

namespace culprit::backends::torchscript {
namespace {

using graph::Argument;
using graph::Node;
using graph::ValueId;

bool IsInts(const Argument& argument, std::initializer_list<int64_t> ints) {
  return argument == Argument::Ints(ints);
}

bool Transposes(const Node& node) {
  const std::string name = node.op->qualified_name();
  if (name == "aten::t") return true;
  if (name == "aten::permute") return IsInts(node.arguments[1], {1, 0});
  if (name != "aten::transpose.int") return false;
  const Argument::List dimensions = {node.arguments[1], node.arguments[2]};
  return IsInts(Argument(dimensions), {0, 1}) || IsInts(Argument(dimensions), {1, 0});
}

}  // namespace

RaiseContext::RaiseContext(const graph::Graph& graph)
    : graph_(graph), used_(graph.values().size()), written_(graph.values().size()) {
  const auto use = [&](ValueId id) { used_[Index(id)] = true; };
  for (const Node& node : graph.nodes()) {
    for (const Argument& argument : node.arguments) ForEachValue(argument, use);
  }
  for (const Argument& output : graph.outputs()) ForEachValue(output, use);
  graph::MemorySets sets(graph);
  const std::vector<bool> written = WrittenSets(graph, sets);
  for (uint32_t i = 0; i < graph.values().size(); ++i) written_[i] = written[sets.SetOf(ValueId(i))];
}

std::optional<ValueId> RaiseContext::TransposedWeight(const Argument& argument) const {
  if (!argument.is_value()) return std::nullopt;
  const graph::Value& value = graph_.value(argument.value());
  if (value.origin != graph::Origin::kNode) return std::nullopt;
  const Node& node = graph_.nodes()[value.origin_index];
  if (!Transposes(node) || !node.arguments[0].is_value()) return std::nullopt;
  const ValueId weight = node.arguments[0].value();
  const bool is_given = graph_.value(weight).origin != graph::Origin::kNode;
  return is_given && !written_[Index(weight)] ? std::optional(weight) : std::nullopt;
}

std::optional<int64_t> RaiseContext::RankOf(const Argument& argument) const {
  if (!argument.is_value()) return std::nullopt;
  const graph::Value& value = graph_.value(argument.value());
  if (value.origin != graph::Origin::kConstant) return std::nullopt;
  return graph_.constants()[value.origin_index].tensor.dim();
}

}  // namespace culprit::backends::torchscript
