// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {

using graph::Argument;
using graph::NodeId;
using graph::ValueId;

Rewriter::Rewriter(const graph::Graph& source)
    : source_(source),
      rebuild_(source),
      names_(source),
      users_(source.values().size()),
      is_output_(source.values().size()) {
  for (uint32_t i = 0; i < source.nodes().size(); ++i) {
    const auto add = [&](ValueId id) {
      if (users_[Index(id)].empty() || users_[Index(id)].back() != NodeId{i})
        users_[Index(id)].push_back(NodeId{i});
    };
    for (const Argument& argument : source.nodes()[i].arguments) ForEachValue(argument, add);
  }
  for (const Argument& output : source.outputs())
    ForEachValue(output, [&](ValueId id) { is_output_[Index(id)] = true; });
}

const graph::Node* Rewriter::ProducerOf(ValueId id) const {
  const graph::Value& value = source_.value(id);
  return value.origin == graph::Origin::kNode ? &source_.nodes()[value.origin_index] : nullptr;
}

const at::Tensor* Rewriter::ConstantOf(const Argument& argument) const {
  if (!argument.is_value()) return nullptr;
  const graph::Value& value = source_.value(argument.value());
  return value.origin == graph::Origin::kConstant ? &source_.constants()[value.origin_index].tensor : nullptr;
}

std::vector<ValueId> Rewriter::AddAll(std::string_view op, std::vector<Argument> arguments,
                                      const std::string& like, const graph::Node& origin) {
  const graph::Operator& called = graph::Operator::Get(op);
  std::vector<std::string> names;
  for (size_t i = 0; i < called.schema().returns().size(); ++i) names.push_back(names_.Derive(like));
  return rebuild_.graph().AddNode(called, std::move(arguments), std::move(names), origin.model_line).results;
}

Argument Rewriter::Add(std::string_view op, std::vector<Argument> arguments, const std::string& like,
                       const graph::Node& origin) {
  return AddAll(op, std::move(arguments), like, origin)[0];
}

void Rewriter::AddInPlaceOf(ValueId old_value, std::string_view op, std::vector<Argument> arguments,
                            const graph::Node& origin) {
  rebuild_.Replace(old_value, rebuild_.graph()
                                  .AddNode(graph::Operator::Get(op), std::move(arguments),
                                           {source_.value(old_value).name}, origin.model_line)
                                  .results[0]);
}

}  // namespace culprit::compiler::passes
