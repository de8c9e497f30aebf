// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/functional_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "autograd/functional/overlap.h"
#include "autograd/functional/untraceable.h"
#include "autograd/joint/recompute.h"
#include "base/internal_error.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Operator;
using torch::jit::Stack;

const Operator& OperatorOf(const c10::OperatorHandle& handle) {
  const c10::OperatorName& name = handle.operator_name();
  const Operator* op = Operator::Find(name.name, name.overload_name);
  CULPRIT_CHECK(op != nullptr, "libtorch calls {}, and does not have it", name.name);
  return *op;
}

bool Writes(const Operator& op, c10::ArrayRef<IValue> arguments) {
  if (!op.writes_any()) return false;
  return !op.write_switch() || arguments[*op.write_switch()].toBool();
}

IValue TwinsOf(const IValue& value) {
  return graph::MapTensors(
      value, [](const at::Tensor& tensor) { return tensor.defined() ? TwinOf(tensor) : tensor; });
}

/// All tensors in the value, each with its position if that is a list.
template <typename Visitor>
void ForEachTensor(const IValue& value, Visitor&& visit) {
  if (value.isTensor() && value.toTensor().defined()) visit(value.toTensor(), std::optional<size_t>());
  if (!value.isTensorList()) return;
  const auto elements = value.toListRef();
  for (size_t i = 0; i < elements.size(); ++i) visit(elements[i].toTensor(), std::optional<size_t>(i));
}

/// Whether the result could lie otherwise if sizes were others, as that of a slice or an expansion.
bool TakesNumbers(c10::ArrayRef<IValue> arguments) {
  return std::ranges::any_of(arguments,
                             [](const IValue& argument) { return argument.isInt() || argument.isIntList(); });
}

/// Whether each element is read for the last time before it is written; of those that go through lists,
/// whether that holds for the tensors at one place in them.
bool IsPointwise(const FunctionalVariant& variant) {
  if (variant.kind == FunctionalVariant::Kind::kCopy) return true;
  return variant.kind == FunctionalVariant::Kind::kFunctional &&
         (IsCheap(*variant.op) || variant.op->name().starts_with("aten::_foreach_"));
}

/// What libtorch computes of memory while it writes into it, if it agrees to, no functional operator does.
void RefuseOverlap(const Operator& op, size_t target, const Stack& arguments) {
  const bool is_pointwise = IsPointwise(FunctionalVariantOf(op));
  ForEachTensor(arguments[target], [&](const at::Tensor& written, std::optional<size_t> place) {
    if (MayOverlapItself(written)) throw Untraceable("elements that share their memory are written");
    for (size_t i = 0; i < arguments.size(); ++i) {
      ForEachTensor(arguments[i], [&](const at::Tensor& read, std::optional<size_t> read_place) {
        const bool is_read_first = place == read_place && (i == target || is_pointwise);
        if (MayOverlap(written, read) || (!is_read_first && LieInOnePlace(written, read)))
          throw Untraceable(op.qualified_name() + " reads what it writes");
      });
    }
  });
}

bool HoldsTensors(const c10::Argument& result) {
  return result.type()->isSubtypeOf(*c10::TensorType::get()) ||
         result.type()->isSubtypeOf(*c10::ListType::ofTensors());
}

/// Libraries choose the way they compute by how the result lies, and round otherwise on another way.
bool IsMatrixProduct(const Operator& op) {
  constexpr std::string_view kProducts[] = {"addbmm", "addmm", "addmv", "addr", "baddbmm", "bmm", "mm", "mv"};
  std::string_view name = op.name();
  name.remove_prefix(std::min(name.size(), std::string_view("aten::").size()));
  if (name.ends_with('_')) name.remove_suffix(1);
  return std::ranges::find(kProducts, name) != std::end(kProducts);
}

/// Results of functional operators may lie otherwise, and get other numbers then.
bool DependsOnMemoryOrder(const Operator& op, const Stack& arguments) {
  if (!op.is_random() && !IsMatrixProduct(op)) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (op.writes(i) && arguments[i].isTensor() && !arguments[i].toTensor().is_contiguous()) return true;
  }
  return false;
}

/// Some fill such tensors in another order than a copy without gaps.
void RefuseRandomGaps(const Operator& op, size_t target, const Stack& arguments) {
  if (!op.is_random()) return;
  ForEachTensor(arguments[target], [](const at::Tensor& written, auto) {
    if (!IsDense(written)) throw Untraceable("random numbers go to a tensor with gaps in memory");
  });
}

}  // namespace

void FunctionalWriter::AddPlaceholder(const std::string& name, graph::PlaceholderKind kind,
                                      graph::ValueKind value_kind, const IValue& fake) {
  if (!fake.isTensor() || !fake.toTensor().defined())
    return graph_.AddPlaceholder(name, kind, value_kind, fake);
  const at::Tensor twin = TwinOf(fake.toTensor());
  graph_.AddPlaceholder(name, kind, value_kind, twin);
  memory_.AddInput(fake.toTensor(), twin);
}

graph::Argument FunctionalWriter::ValueOf(const at::Tensor& fake) {
  return fake.defined() ? graph_.ValueOf(memory_.Current(fake)) : graph::Argument();
}

void FunctionalWriter::Before(const c10::OperatorHandle& handle, c10::ArrayRef<IValue> arguments) {
  const Operator& op = OperatorOf(handle);
  pending_ = {.op = &op};
  if (Writes(op, arguments)) return BeforeWrites(op, arguments.vec());
  const auto& returns = op.schema().returns();
  const auto tensors = static_cast<size_t>(std::ranges::count_if(returns, HoldsTensors));
  const bool is_question = !returns.empty() && tensors == 0;
  if (is_question) return;
  if (tensors < returns.size()) throw Untraceable(op.qualified_name() + " returns more than tensors");
  pending_.calls = true;
  for (const IValue& argument : arguments) pending_.current.push_back(memory_.Current(argument));
  if (!arguments.empty()) RefuseOtherOffset(op, arguments[0], pending_.current[0]);
}

void FunctionalWriter::BeforeWrites(const Operator& op, const Stack& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!op.writes(i)) continue;
    RefuseOverlap(op, i, arguments);
    RefuseRandomGaps(op, i, arguments);
  }
  const FunctionalVariant& variant = FunctionalVariantOf(op);
  switch (variant.kind) {
    case FunctionalVariant::Kind::kFunctional:
      return DependsOnMemoryOrder(op, arguments) ? BeforePrivateCopy(op, arguments)
                                                 : BeforeFunctional(op, *variant.op, arguments);
    case FunctionalVariant::Kind::kCopy:
      return BeforeCopy(arguments);
    case FunctionalVariant::Kind::kView:
      return BeforeView(*variant.op, arguments);
    case FunctionalVariant::Kind::kPrivateCopy:
      return BeforePrivateCopy(op, arguments);
    case FunctionalVariant::Kind::kNothing:
      return;
    case FunctionalVariant::Kind::kNone:
      throw Untraceable(op.qualified_name() + " changes what a tensor is");
  }
}

void FunctionalWriter::BeforeFunctional(const Operator& op, const Operator& functional,
                                        const Stack& arguments) {
  Stack taken;
  std::vector<IValue> targets;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!IsOutArgument(op, i)) taken.push_back(memory_.Current(arguments[i]));
    if (op.writes(i)) targets.push_back(arguments[i]);
  }
  // Sums and the like compute in the dtype of what they go to; element by element only the result is cast.
  const bool may_cast = taken.size() == arguments.size() && IsCheap(functional);
  const Stack values = graph_.Emit(functional, taken);
  CULPRIT_CHECK(values.size() >= targets.size(), "{} writes {} tensors, {} returns {}", op.qualified_name(),
                targets.size(), functional.qualified_name(), values.size());
  for (size_t i = 0; i < targets.size(); ++i) {
    const bool is_tensor = targets[i].isTensor() && targets[i].toTensor().defined();
    if (is_tensor && !may_cast && targets[i].toTensor().dtype() != values[i].toTensor().dtype())
      throw Untraceable("the result of " + op.qualified_name() + " goes to a tensor of another dtype");
    WriteLater(targets[i], values[i], Written::kOpenly);
  }
}

/// A copy is a tensor of its own, whatever it is a copy of.
void FunctionalWriter::BeforeCopy(const Stack& arguments) {
  const at::Tensor& target = arguments[0].toTensor();
  at::Tensor source = memory_.Current(arguments[1].toTensor());
  if (source.sizes() != target.sizes())
    source = graph_.Emit("aten::expand", {source, target.sizes(), IValue(false)});
  if (source.dtype() == target.dtype()) source = graph_.Emit("aten::clone", {source, IValue()});
  WriteLater(target, source, Written::kOpenly);
}

void FunctionalWriter::BeforeView(const Operator& view, Stack arguments) {
  // The program's own tensor lies elsewhere afterwards.
  arguments[0] = TwinOf(arguments[0].toTensor());
  Stack taken;
  for (const IValue& argument : arguments) taken.push_back(memory_.Current(argument));
  RefuseOtherOffset(view, arguments[0], taken[0]);
  pending_.made = graph_.Emit(view, taken);
  pending_.made_by = &view;
  pending_.made_from = std::move(arguments);
}

void FunctionalWriter::BeforePrivateCopy(const Operator& op, const Stack& arguments) {
  Stack taken;
  for (size_t i = 0; i < arguments.size(); ++i) {
    IValue argument = memory_.Current(arguments[i]);
    if (op.writes(i)) {
      argument = graph::MapTensors(argument, [this](const at::Tensor& tensor) {
        return tensor.defined() ? graph_.Emit("aten::clone", {tensor, IValue()}) : tensor;
      });
      WriteLater(arguments[i], argument,
                 IsWrittenBySchema(op.schema().arguments()[i]) ? Written::kOpenly : Written::kSilently);
    }
    taken.push_back(std::move(argument));
  }
  pending_.made = graph_.Emit(op, taken);
  pending_.made_by = &op;
  pending_.made_from = arguments;
}

void FunctionalWriter::WriteLater(const IValue& target, const IValue& value, Written how) {
  if (target.isNone()) return;
  if (!target.isTensor()) {
    CULPRIT_CHECK(target.isTensorList() && value.isTensorList(), "a {} is written", target.tagKind());
    for (size_t i = 0; i < target.toListRef().size(); ++i)
      WriteLater(target.toListRef()[i], value.toListRef()[i], how);
    return;
  }
  const at::Tensor& tensor = target.toTensor();
  if (!tensor.defined()) return;
  at::Tensor written = value.toTensor();
  if (written.sizes() != tensor.sizes()) throw Untraceable("a result resizes the tensor that it goes to");
  if (written.dtype() != tensor.dtype())
    written = graph_.Emit("aten::_to_copy", {written, IValue(tensor.scalar_type()), IValue(), IValue(),
                                             IValue(), IValue(false), IValue()});
  pending_.writes.push_back({tensor, written, how});
}

void FunctionalWriter::After(const c10::OperatorHandle& /*op*/, c10::ArrayRef<IValue> arguments,
                             c10::ArrayRef<IValue> results) {
  const Pending pending = std::exchange(pending_, {});
  for (const Pending::Write& write : pending.writes) memory_.Write(write.target, write.value, write.how);
  if (pending.made_by != nullptr)
    DefineAll(*pending.made_by, pending.made_from, results, pending.made, /*anew=*/false);
  const bool may_differ = graph_.keeps_numbers() && TakesNumbers(arguments);
  if (!pending.calls || (!may_differ && !results.empty() && AreCurrent(results))) return;
  Stack twins;
  for (const IValue& result : results) twins.push_back(TwinsOf(result));
  graph_.AddNode(*pending.op, pending.current, twins);
  DefineAll(*pending.op, arguments, results, twins, may_differ);
}

bool FunctionalWriter::AreCurrent(c10::ArrayRef<IValue> results) const {
  bool are_current = true;
  for (const IValue& result : results)
    ForEachTensor(result, [&](const at::Tensor& tensor, auto) {
      are_current = are_current && memory_.IsCurrent(tensor);
    });
  return are_current;
}

void FunctionalWriter::DefineAll(const Operator& op, c10::ArrayRef<IValue> arguments,
                                 c10::ArrayRef<IValue> results, c10::ArrayRef<IValue> current, bool anew) {
  for (size_t i = 0; i < results.size(); ++i) {
    ForEachTensor(results[i], [&](const at::Tensor& result, std::optional<size_t> element) {
      if (!anew && memory_.IsCurrent(result)) return;
      const at::Tensor stands = element ? current[i].toTensorList().get(*element) : current[i].toTensor();
      memory_.Define(result, stands, op, arguments, element);
    });
  }
}

}  // namespace culprit::autograd
