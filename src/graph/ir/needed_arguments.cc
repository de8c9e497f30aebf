// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/needed_arguments.h"

#include <algorithm>

namespace culprit::graph {
namespace {

bool SameAsDefault(const Argument& argument, const c10::IValue& value, const Slot& slot) {
  if (argument.is_list()) {
    const auto same = [&](const Argument& element) { return SameAsDefault(element, value, *slot.element); };
    const auto length = static_cast<size_t>(slot.fixed_length);
    return length > 0 && argument.list().size() == length &&
           std::all_of(argument.list().begin(), argument.list().end(), same);
  }
  if (!argument.is_constant()) return false;
  const bool widened = slot.kind == SlotKind::kFloat && value.isInt();
  return SameConstant(argument.constant(), widened ? c10::IValue(static_cast<double>(value.toInt())) : value);
}

bool IsDefault(const Node& node, size_t index) {
  const c10::Argument& formal = node.op->schema().arguments()[index];
  if (!formal.default_value()) return false;
  const c10::IValue& value = *formal.default_value();
  const Argument& argument = node.arguments[index];
  if (argument.is_value()) return false;
  if (!value.isList()) return SameAsDefault(argument, value, node.op->slots()[index]);
  if (!argument.is_list()) return false;
  const auto elements = value.toListRef();
  const Argument::List& list = argument.list();
  return list.size() == elements.size() &&
         std::equal(list.begin(), list.end(), elements.begin(), [&](const Argument& a, const c10::IValue& b) {
           return SameAsDefault(a, b, *node.op->slots()[index].element);
         });
}

}  // namespace

NeededArguments NeededArgumentsOf(const Node& node) {
  const auto& formals = node.op->schema().arguments();
  NeededArguments needed;
  for (size_t i = 0; i < formals.size(); ++i) {
    if (IsDefault(node, i)) continue;
    if (formals[i].kwarg_only()) {
      needed.keywords.push_back(i);
    } else {
      needed.positions = i + 1;
    }
  }
  return needed;
}

}  // namespace culprit::graph
