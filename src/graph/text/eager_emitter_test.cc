// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/internal_error.h"
#include "graph/text/eager_emitter.h"

namespace culprit::graph::text {
namespace {

template <typename T, typename Convert>
c10::IValue ListOf(const std::vector<c10::IValue>& elements, Convert&& convert) {
  c10::List<T> list;
  for (const c10::IValue& element : elements) list.push_back(convert(element));
  return list;
}

c10::IValue ListForSlot(const std::vector<c10::IValue>& elements, const Slot& element) {
  switch (element.kind) {
    case SlotKind::kInt:
      return ListOf<int64_t>(elements, [](const c10::IValue& value) { return value.toInt(); });
    case SlotKind::kBool:
      return ListOf<bool>(elements, [](const c10::IValue& value) { return value.toBool(); });
    case SlotKind::kTensor:
      if (!element.optional) {
        return ListOf<at::Tensor>(elements, [](const c10::IValue& value) { return value.toTensor(); });
      }
      return ListOf<c10::optional<at::Tensor>>(
          elements, [](const c10::IValue& value) { return value.toOptional<at::Tensor>(); });
    default:
      throw base::InternalError(__FILE_NAME__, __LINE__, "a list of this kind is not supported");
  }
}

}  // namespace

Argument EagerEmitter::Input(at::Tensor tensor) {
  const ValueId id = graph_.AddPlaceholder(fmt::format("arg{}_1", values_.size()));
  values_.emplace_back(std::move(tensor));
  return id;
}

base::Result<std::vector<ValueId>> EagerEmitter::Emit(std::string_view op, WrittenArguments arguments) {
  const Operator& target = Operator::Get(op);
  const std::vector<Argument> bound = CULPRIT_TRY(BindArguments(graph_, target, std::move(arguments)));
  torch::jit::Stack stack;
  for (size_t i = 0; i < bound.size(); ++i) stack.push_back(ForSlot(bound[i], target.slots()[i]));
  target.Call(stack);

  std::vector<std::string> names;
  for (size_t i = 0; i < stack.size(); ++i) names.push_back(fmt::format("v{}", values_.size() + i));
  const std::vector<ValueId> results = graph_.AddNode(target, bound, names).results;
  values_.insert(values_.end(), stack.begin(), stack.end());
  return results;
}

c10::IValue EagerEmitter::Get(const Argument& argument) const {
  return argument.is_value() ? values_[Index(argument.value())] : argument.constant();
}

c10::IValue EagerEmitter::ForSlot(const Argument& argument, const Slot& slot) const {
  if (!argument.is_list()) return Get(argument);
  std::vector<c10::IValue> elements;
  for (const Argument& element : argument.list()) elements.push_back(Get(element));
  return ListForSlot(elements, *slot.element);
}

}  // namespace culprit::graph::text
