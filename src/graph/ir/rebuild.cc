// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/rebuild.h"

namespace culprit::graph {

void Rebuild::CopyPlaceholders() {
  for (const Placeholder& placeholder : source_.placeholders()) CopyPlaceholder(placeholder);
}

ValueId Rebuild::CopyPlaceholder(const Placeholder& placeholder) {
  const Value& value = source_.value(placeholder.value);
  const ValueId copy = graph_.AddPlaceholder(value.name, placeholder.kind, value.kind);
  graph_.SetSymbols(graph_.placeholders().size() - 1, placeholder.symbols);
  Replace(placeholder.value, copy);
  return copy;
}

void Rebuild::CopyConstant(const TensorConstant& constant) {
  Replace(constant.value,
          graph_.AddConstant(source_.value(constant.value).name, constant.tensor, constant.device));
}

void Rebuild::CopyConstants() {
  for (const TensorConstant& constant : source_.constants()) CopyConstant(constant);
}

void Rebuild::CopyNode(const Node& node) {
  std::vector<Argument> arguments;
  arguments.reserve(node.arguments.size());
  for (const Argument& argument : node.arguments) arguments.push_back(Map(argument));
  CopyNode(node, std::move(arguments));
}

void Rebuild::CopyNode(const Node& node, std::vector<Argument> arguments) {
  std::vector<std::string> names;
  names.reserve(node.results.size());
  for (const ValueId result : node.results) names.push_back(source_.value(result).name);
  const Node& copy = graph_.AddNode(*node.op, std::move(arguments), std::move(names), node.model_line);
  for (size_t i = 0; i < node.results.size(); ++i) Replace(node.results[i], copy.results[i]);
}

void Rebuild::CopyOutputs() {
  std::vector<Argument> outputs;
  for (const Argument& output : source_.outputs()) outputs.push_back(Map(output));
  graph_.SetOutputs(std::move(outputs));
}

Argument Rebuild::Map(const Argument& argument) const {
  return MapValues(argument, [&](ValueId id) { return replacement_[Index(id)]; });
}

}  // namespace culprit::graph
