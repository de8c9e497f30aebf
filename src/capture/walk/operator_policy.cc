// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/operator_policy.h"

#include <ATen/core/Dict.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <string_view>

namespace culprit::capture {
namespace {

using c10::IValue;

struct Rule {
  std::string_view name;
  BreakKind kind;
};

/// Whatever their arguments are.
constexpr Rule kAlwaysBreak[] = {
    {"aten::allclose", BreakKind::kTensorToBool}, {"aten::backward", BreakKind::kEffect},
    {"aten::equal", BreakKind::kTensorToBool},    {"aten::get_gradients", BreakKind::kEffect},
    {"aten::grad", BreakKind::kEffect},           {"aten::is_nonzero", BreakKind::kTensorToBool},
    {"aten::item", BreakKind::kTensorToNumber},   {"aten::manual_seed", BreakKind::kEffect},
    {"aten::retain_grad", BreakKind::kEffect},    {"aten::save", BreakKind::kEffect},
    {"aten::seed", BreakKind::kEffect},           {"aten::set_data", BreakKind::kEffect},
    {"prim::AddStatValue", BreakKind::kEffect},   {"prim::Print", BreakKind::kPrint},
    {"prim::TimePoint", BreakKind::kEffect},      {"prim::grad", BreakKind::kEffect},
    {"prim::awaitable_nowait", BreakKind::kFork}, {"prim::awaitable_wait", BreakKind::kFork},
    {"prim::tolist", BreakKind::kTensorToNumber},
};

/// Of operators that no graph can hold, those that take numbers out of tensors.
constexpr Rule kTakesNumbers[] = {
    {"aten::Bool", BreakKind::kTensorToBool},
    {"aten::Complex", BreakKind::kTensorToNumber},
    {"aten::ComplexImplicit", BreakKind::kTensorToNumber},
    {"aten::Float", BreakKind::kTensorToNumber},
    {"aten::FloatImplicit", BreakKind::kTensorToNumber},
    {"aten::Int", BreakKind::kTensorToNumber},
    {"aten::IntImplicit", BreakKind::kTensorToNumber},
    {"aten::ScalarImplicit", BreakKind::kTensorToNumber},
    {"aten::format", BreakKind::kTensorToNumber},
    {"aten::str", BreakKind::kTensorToNumber},
};

/// They look at what is known of a fake tensor, not at its numbers. Every size that a program reads comes
/// from here.
constexpr std::string_view kMetadata[] = {
    "aten::__is__",
    "aten::__isnot__",
    "aten::_unwrap_optional",
    "aten::dense_dim",
    "aten::dim",
    "aten::element_size",
    "aten::get_device",
    "aten::is_complex",
    "aten::is_conj",
    "aten::is_contiguous",
    "aten::is_floating_point",
    "aten::is_inference",
    "aten::is_leaf",
    "aten::is_neg",
    "aten::is_same_size",
    "aten::is_signed",
    "aten::len",
    "aten::numel",
    "aten::result_type",
    "aten::size",
    "aten::storage_offset",
    "aten::stride",
    "aten::sym_size",
    "prim::Uninitialized",
    "prim::device",
    "prim::dtype",
    "prim::is_cpu",
    "prim::is_cuda",
    "prim::is_ipu",
    "prim::is_maia",
    "prim::is_meta",
    "prim::is_mkldnn",
    "prim::is_mps",
    "prim::is_mtia",
    "prim::is_nested",
    "prim::is_quantized",
    "prim::is_sparse",
    "prim::is_sparse_csr",
    "prim::is_vulkan",
    "prim::is_xla",
    "prim::is_xpu",
    "prim::itemsize",
    "prim::layout",
    "prim::name",
    "prim::requires_grad",
    "prim::unchecked_cast",
    "prim::unchecked_unwrap_optional",
};

/// They move tensors in and out of containers without looking at them.
constexpr std::string_view kContainers[] = {
    "aten::Delete",     "aten::__contains__", "aten::__getitem__", "aten::_set_item", "aten::add",
    "aten::add_",       "aten::append",       "aten::clear",       "aten::copy",      "aten::dict",
    "aten::extend",     "aten::get",          "aten::insert",      "aten::items",     "aten::keys",
    "aten::list",       "aten::mul",          "aten::mul_",        "aten::pop",       "aten::popitem",
    "aten::reverse",    "aten::setdefault",   "aten::slice",       "aten::update",    "aten::values",
    "prim::ListUnpack", "prim::TupleIndex",   "prim::TupleUnpack",
};

constexpr std::string_view kMakesTensors[] = {"aten::as_tensor", "aten::tensor", "prim::NumToTensor"};

std::optional<BreakKind> Find(std::span<const Rule> rules, std::string_view name) {
  const auto rule = std::ranges::find(rules, name, &Rule::name);
  return rule == rules.end() ? std::nullopt : std::optional(rule->kind);
}

bool HoldsTensor(const IValue& value) {
  if (value.isTensor()) return true;
  if (value.isList()) return std::ranges::any_of(value.toListRef(), HoldsTensor);
  if (value.isTuple()) {
    const auto& elements = value.toTupleRef().elements();
    return std::any_of(elements.begin(), elements.end(), HoldsTensor);
  }
  if (!value.isGenericDict()) return false;
  const c10::impl::GenericDict dict = value.toGenericDict();
  return std::any_of(dict.begin(), dict.end(), [](const auto& entry) { return HoldsTensor(entry.value()); });
}

bool ReturnsTensors(const c10::FunctionSchema& schema) {
  return std::ranges::all_of(schema.returns(), [](const c10::Argument& result) {
    const c10::Type& type = *result.type();
    return type.kind() == c10::TypeKind::TensorType || type.isSubtypeOf(*c10::ListType::ofTensors());
  });
}

Decision BreakFor(BreakKind kind) {
  return {Treatment::kBreak, kind};
}

Decision DecideOnGradMode(c10::ArrayRef<IValue> arguments) {
  if (arguments[0].toBool() == at::GradMode::is_enabled()) return {Treatment::kDoNow};
  return BreakFor(BreakKind::kModeChange);
}

/// Comparing tensors looks at their numbers.
bool SearchesForTensor(const vm::CalledOperator& called, c10::ArrayRef<IValue> arguments) {
  return called.name == "aten::__contains__" && arguments[0].isList();
}

/// One that only TorchScript has, with a tensor among its arguments.
Decision DecideOnTorchScriptOnly(const vm::CalledOperator& called, c10::ArrayRef<IValue> arguments) {
  if (const auto kind = Find(kTakesNumbers, called.name)) return BreakFor(*kind);
  if (std::ranges::find(kMetadata, called.name) != std::end(kMetadata)) return {Treatment::kDoNow};
  const bool moves = std::ranges::find(kContainers, called.name) != std::end(kContainers);
  if (moves && !SearchesForTensor(called, arguments)) return {Treatment::kDoNow};
  return BreakFor(BreakKind::kUncapturedOperator);
}

/// One of the dispatcher's.
Decision DecideOnDispatched(const vm::CalledOperator& called, bool holds_tensor) {
  const bool returns_tensors = ReturnsTensors(*called.schema);
  const bool is_nothing = called.schema->returns().empty();
  if (returns_tensors && (holds_tensor || !is_nothing)) {
    const bool fits = called.dispatched != nullptr && called.dispatched->results();
    return fits ? Decision{Treatment::kRecord} : BreakFor(BreakKind::kUncapturedArguments);
  }
  if (!holds_tensor && !is_nothing) return {Treatment::kDoNow};
  if (std::ranges::find(kMetadata, called.name) != std::end(kMetadata)) return {Treatment::kDoNow};
  if (is_nothing) return BreakFor(BreakKind::kEffect);
  return BreakFor(holds_tensor && called.schema->returns().size() == 1 ? BreakKind::kTensorToNumber
                                                                       : BreakKind::kUncapturedArguments);
}

}  // namespace

Decision Decide(const vm::CalledOperator& called, c10::ArrayRef<IValue> arguments) {
  if (const auto kind = Find(kAlwaysBreak, called.name)) return BreakFor(*kind);
  if (called.name == "aten::set_grad_enabled") return DecideOnGradMode(arguments);
  const bool holds_tensor = std::ranges::any_of(arguments, HoldsTensor);
  if (std::ranges::find(kMakesTensors, called.name) != std::end(kMakesTensors) &&
      called.dispatched == nullptr)
    return holds_tensor ? BreakFor(BreakKind::kTensorToNumber) : Decision{Treatment::kMakeConstant};
  if (called.dispatched != nullptr || called.is_dispatched) return DecideOnDispatched(called, holds_tensor);
  const bool is_own = called.name.starts_with("aten::") || called.name.starts_with("prim::");
  if (!is_own) return BreakFor(BreakKind::kEffect);
  if (holds_tensor) return DecideOnTorchScriptOnly(called, arguments);
  return {Treatment::kDoNow};
}

}  // namespace culprit::capture
