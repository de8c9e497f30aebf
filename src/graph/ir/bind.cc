// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/bind.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "base/text.h"

namespace culprit::graph {
namespace {

bool ValueFits(ValueKind kind, const Slot& slot) {
  switch (slot.kind) {
    case SlotKind::kTensor:
      return kind == ValueKind::kTensor || kind == ValueKind::kInt || kind == ValueKind::kFloat ||
             kind == ValueKind::kBool || kind == ValueKind::kNumber;
    case SlotKind::kNumber:
      return kind == ValueKind::kInt || kind == ValueKind::kFloat || kind == ValueKind::kBool ||
             kind == ValueKind::kNumber;
    case SlotKind::kInt:
    case SlotKind::kDtype:
    case SlotKind::kLayout:
      return kind == ValueKind::kInt || kind == ValueKind::kNumber;
    case SlotKind::kFloat:
      return kind == ValueKind::kFloat || kind == ValueKind::kInt || kind == ValueKind::kNumber;
    case SlotKind::kBool:
      return kind == ValueKind::kBool;
    case SlotKind::kGenerator:
      return kind == ValueKind::kGenerator;
    case SlotKind::kList:
      return (kind == ValueKind::kTensorList && slot.element->kind == SlotKind::kTensor) ||
             (kind == ValueKind::kIntList && slot.element->kind == SlotKind::kInt);
    default:
      return false;
  }
}

bool IsNumber(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
}

std::optional<Argument> ConformConstant(const Slot& slot, const c10::IValue& constant) {
  const auto when = [&](bool fits) { return fits ? std::optional(Argument(constant)) : std::nullopt; };
  switch (slot.kind) {
    case SlotKind::kTensor:
    case SlotKind::kNumber:
      return when(IsNumber(constant));
    case SlotKind::kInt:
    case SlotKind::kDtype:
    case SlotKind::kLayout:
    case SlotKind::kMemoryFormat:
      return when(constant.isInt());
    case SlotKind::kFloat:
      if (constant.isInt()) return Argument(c10::IValue(static_cast<double>(constant.toInt())));
      return when(constant.isDouble());
    case SlotKind::kBool:
      return when(constant.isBool());
    case SlotKind::kString:
      return when(constant.isString());
    case SlotKind::kDevice:
      return when(constant.isDevice());
    default:
      return std::nullopt;
  }
}

std::optional<Argument> ConformList(const Graph& graph, const Slot& slot, Argument argument) {
  if (!argument.is_list()) {
    if (slot.fixed_length == 0) return std::nullopt;
    const std::optional<Argument> element = Conform(graph, *slot.element, std::move(argument));
    if (!element) return std::nullopt;
    return Argument(Argument::List(slot.fixed_length, *element));
  }
  for (Argument& element : argument.list()) {
    std::optional<Argument> conformed = Conform(graph, *slot.element, std::move(element));
    if (!conformed) return std::nullopt;
    element = *std::move(conformed);
  }
  return argument;
}

std::string Describe(const Graph& graph, const Argument& argument) {
  if (argument.is_list()) return "a list";
  if (argument.is_value()) {
    const Value& value = graph.value(argument.value());
    // Values get their names last when a script is read; the caret shows which is meant.
    if (value.name.empty()) return fmt::format("a value of kind {}", ToString(value.kind));
    return fmt::format("'{}', which is of kind {}", value.name, ToString(value.kind));
  }
  const c10::IValue& constant = argument.constant();
  if (constant.isString()) return "a string";
  if (constant.isDouble()) return fmt::format("{:#}", constant.toDouble());
  if (constant.isDevice()) return "device " + constant.toDevice().str();
  return fmt::format("{}", fmt::streamed(constant));
}

std::vector<std::string_view> ArgumentNames(const Operator& op) {
  std::vector<std::string_view> names;
  for (const c10::Argument& argument : op.schema().arguments()) names.push_back(argument.name());
  return names;
}

class Binder {
 public:
  Binder(const Graph& graph, const Operator& op, std::optional<size_t>& failed_at)
      : graph_(graph), op_(op), failed_at_(failed_at), bound_(op.slots().size()) {}

  base::Result<std::vector<Argument>> Bind(WrittenArguments written) {
    written_as_ = std::move(written.written_as);
    const size_t positions = written.positional.size();
    for (size_t i = 0; i < positions; ++i) {
      if (i >= bound_.size() || formal(i).kwarg_only()) return TooMany(i, positions);
      CULPRIT_TRY(Set(i, written.positional[i], i));
    }
    for (size_t i = 0; i < written.keyword.size(); ++i) {
      const auto& [name, argument] = written.keyword[i];
      CULPRIT_TRY(SetByName(name, argument, positions + i));
    }
    return FillIn();
  }

 private:
  const c10::Argument& formal(size_t i) const { return op_.schema().arguments()[i]; }

  base::Diagnostic Blame(size_t written_index, std::string message) {
    failed_at_ = written_index;
    return {{}, std::move(message)};
  }

  base::Diagnostic TooMany(size_t index, size_t given) {
    size_t allowed = 0;
    while (allowed < bound_.size() && !formal(allowed).kwarg_only()) ++allowed;
    return Blame(index, fmt::format("{} takes {}, but {} are given", op_.qualified_name(),
                                    base::Counted(allowed, "positional argument"), given));
  }

  base::Status Set(size_t slot, const Argument& argument, size_t written_index) {
    std::optional<Argument> conformed = Conform(graph_, op_.slots()[slot], argument);
    const bool known = written_index < written_as_.size() && written_as_[written_index];
    if (known && *written_as_[written_index] != op_.slots()[slot].kind) conformed.reset();
    if (!conformed) {
      const std::string given =
          known ? "a " + Slot{*written_as_[written_index]}.ToString() : Describe(graph_, argument);
      return Blame(written_index, fmt::format("argument '{}' of {} must be {}, not {}", formal(slot).name(),
                                              op_.qualified_name(), op_.slots()[slot].ToString(), given));
    }
    bound_[slot] = *std::move(conformed);
    return base::Done{};
  }

  base::Status SetByName(const std::string& name, const Argument& argument, size_t written_index) {
    const std::vector<std::string_view> names = ArgumentNames(op_);
    const size_t slot = std::find(names.begin(), names.end(), name) - names.begin();
    if (slot == names.size()) {
      return Blame(written_index, fmt::format("{} has no argument '{}'{}", op_.qualified_name(), name,
                                              base::DidYouMean(name, names)));
    }
    if (bound_[slot]) {
      return Blame(written_index,
                   fmt::format("argument '{}' of {} is given twice", name, op_.qualified_name()));
    }
    return Set(slot, argument, written_index);
  }

  base::Result<std::vector<Argument>> FillIn() {
    std::vector<Argument> arguments;
    arguments.reserve(bound_.size());
    for (size_t i = 0; i < bound_.size(); ++i) {
      if (!bound_[i]) bound_[i] = DefaultOf(op_, i);
      if (!bound_[i]) {
        base::Diagnostic error{
            {}, fmt::format("argument '{}' of {} is missing", formal(i).name(), op_.qualified_name())};
        error.notes.push_back(fmt::format("its schema is {}", fmt::streamed(op_.schema())));
        return error;
      }
      arguments.push_back(*std::move(bound_[i]));
    }
    return arguments;
  }

  const Graph& graph_;
  const Operator& op_;
  std::optional<size_t>& failed_at_;
  std::vector<std::optional<Argument>> bound_;
  std::vector<std::optional<SlotKind>> written_as_;
};

}  // namespace

std::optional<Argument> DefaultOf(const Operator& op, size_t argument) {
  const auto& value = op.schema().arguments()[argument].default_value();
  if (!value) return std::nullopt;
  const Graph none;
  if (!value->isList()) return Conform(none, op.slots()[argument], Argument(*value));
  Argument::List list;
  for (const c10::IValue& element : value->toListRef()) list.emplace_back(element);
  return Conform(none, op.slots()[argument], Argument(std::move(list)));
}

std::optional<Argument> Conform(const Graph& graph, const Slot& slot, Argument argument) {
  if (argument.is_none()) return slot.optional ? std::optional(std::move(argument)) : std::nullopt;
  if (argument.is_value()) {
    const bool fits = ValueFits(graph.value(argument.value()).kind, slot);
    if (fits) return argument;
    if (slot.kind != SlotKind::kList) return std::nullopt;
  }
  if (slot.kind == SlotKind::kList) return ConformList(graph, slot, std::move(argument));
  if (argument.is_list()) return std::nullopt;
  return ConformConstant(slot, argument.constant());
}

base::Result<std::vector<Argument>> BindArguments(const Graph& graph, const Operator& op,
                                                  WrittenArguments written,
                                                  std::optional<size_t>* failed_at) {
  std::optional<size_t> ignored;
  return Binder(graph, op, failed_at == nullptr ? ignored : *failed_at).Bind(std::move(written));
}

}  // namespace culprit::graph
