// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/number_overload.h"

#include "backends/torchscript/script/types.h"

namespace culprit::backends::torchscript {
namespace {

using graph::Argument;
using graph::Operator;
using graph::SlotKind;

bool IsNumber(const graph::Graph& graph, const Argument& argument) {
  if (argument.is_constant()) return !argument.is_none();
  return argument.is_value() && graph.value(argument.value()).kind != graph::ValueKind::kTensor;
}

std::vector<bool> NumbersForTensors(const graph::Graph& graph, const graph::Node& node) {
  std::vector<bool> numbers;
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    numbers.push_back(node.op->slots()[i].kind == SlotKind::kTensor && IsNumber(graph, node.arguments[i]));
  }
  return numbers;
}

bool DiffersJustInNumbers(const Operator& op, const Operator& other, const std::vector<bool>& numbers) {
  if (other.slots().size() != op.slots().size() || other.results() != op.results()) return false;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (op.schema().arguments()[i].name() != other.schema().arguments()[i].name()) return false;
    const bool fits = numbers[i] ? other.slots()[i].kind == SlotKind::kNumber
                                 : *TypeOf(other.slots()[i]) == *TypeOf(op.slots()[i]);
    if (!fits) return false;
  }
  return true;
}

}  // namespace

const Operator& WithNumbers(const graph::Graph& graph, const graph::Node& node) {
  const std::vector<bool> numbers = NumbersForTensors(graph, node);
  if (std::find(numbers.begin(), numbers.end(), true) == numbers.end()) return *node.op;
  for (const std::string& overload : graph::OverloadsOf(node.op->name())) {
    const Operator* other = Operator::Find(node.op->name(), overload);
    if (other != nullptr && DiffersJustInNumbers(*node.op, *other, numbers)) return *other;
  }
  return *node.op;
}

}  // namespace culprit::backends::torchscript
