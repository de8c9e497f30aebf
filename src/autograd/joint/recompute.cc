// SPDX-License-Identifier: Apache-2.0
#include "autograd/joint/recompute.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/analysis/memory_sets.h"

namespace culprit::autograd {
namespace {

using graph::Argument;
using graph::Node;
using graph::ValueId;
using graph::ValueKind;

// Views by what they do, though not by their schemas.
constexpr std::array<std::string_view, 4> kUnsafeViews = {
    "aten::_unsafe_view", "aten::unsafe_chunk", "aten::unsafe_split", "aten::unsafe_split_with_sizes"};

// Sorted. One pass over memory each, with little to do per element, or none over any.
constexpr std::array<std::string_view, 145> kCheap = {{
    "aten::_reshape_alias_copy",
    "aten::_to_copy",
    "aten::abs",
    "aten::acos",
    "aten::acosh",
    "aten::add",
    "aten::addcdiv",
    "aten::addcmul",
    "aten::alias_copy",
    "aten::angle",
    "aten::arange",
    "aten::as_strided_copy",
    "aten::asin",
    "aten::asinh",
    "aten::atan",
    "aten::atan2",
    "aten::atanh",
    "aten::bitwise_and",
    "aten::bitwise_left_shift",
    "aten::bitwise_not",
    "aten::bitwise_or",
    "aten::bitwise_right_shift",
    "aten::bitwise_xor",
    "aten::cat",
    "aten::ceil",
    "aten::celu",
    "aten::clamp",
    "aten::clamp_max",
    "aten::clamp_min",
    "aten::clone",
    "aten::complex",
    "aten::constant_pad_nd",
    "aten::copysign",
    "aten::cos",
    "aten::cosh",
    "aten::deg2rad",
    "aten::detach_copy",
    "aten::digamma",
    "aten::div",
    "aten::elu",
    "aten::eq",
    "aten::erf",
    "aten::erfc",
    "aten::erfinv",
    "aten::exp",
    "aten::exp2",
    "aten::expand_copy",
    "aten::expm1",
    "aten::eye",
    "aten::floor",
    "aten::floor_divide",
    "aten::fmax",
    "aten::fmin",
    "aten::fmod",
    "aten::frac",
    "aten::full",
    "aten::full_like",
    "aten::ge",
    "aten::gelu",
    "aten::gt",
    "aten::hardshrink",
    "aten::hardsigmoid",
    "aten::hardswish",
    "aten::hardtanh",
    "aten::heaviside",
    "aten::hypot",
    "aten::isfinite",
    "aten::isinf",
    "aten::isnan",
    "aten::isneginf",
    "aten::isposinf",
    "aten::le",
    "aten::leaky_relu",
    "aten::lerp",
    "aten::lgamma",
    "aten::lift_fresh_copy",
    "aten::linspace",
    "aten::log",
    "aten::log10",
    "aten::log1p",
    "aten::log2",
    "aten::logaddexp",
    "aten::logaddexp2",
    "aten::logical_and",
    "aten::logical_not",
    "aten::logical_or",
    "aten::logical_xor",
    "aten::logit",
    "aten::lt",
    "aten::masked_fill",
    "aten::maximum",
    "aten::minimum",
    "aten::mish",
    "aten::mul",
    "aten::nan_to_num",
    "aten::ne",
    "aten::neg",
    "aten::new_full",
    "aten::new_ones",
    "aten::new_zeros",
    "aten::nextafter",
    "aten::ones",
    "aten::ones_like",
    "aten::permute_copy",
    "aten::polar",
    "aten::pow",
    "aten::rad2deg",
    "aten::reciprocal",
    "aten::relu",
    "aten::remainder",
    "aten::round",
    "aten::rsqrt",
    "aten::rsub",
    "aten::scalar_tensor",
    "aten::select_copy",
    "aten::sgn",
    "aten::sigmoid",
    "aten::sign",
    "aten::signbit",
    "aten::silu",
    "aten::sin",
    "aten::sinc",
    "aten::sinh",
    "aten::slice_copy",
    "aten::softplus",
    "aten::softshrink",
    "aten::special_entr",
    "aten::sqrt",
    "aten::square",
    "aten::squeeze_copy",
    "aten::sub",
    "aten::t_copy",
    "aten::tan",
    "aten::tanh",
    "aten::threshold",
    "aten::transpose_copy",
    "aten::tril",
    "aten::triu",
    "aten::trunc",
    "aten::unsqueeze_copy",
    "aten::view_copy",
    "aten::where",
    "aten::xlogy",
    "aten::zeros",
    "aten::zeros_like",
}};
static_assert(std::is_sorted(kCheap.begin(), kCheap.end()));

bool AdmitsAliases(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(),
                     [](const c10::Argument& result) { return result.alias_info() != nullptr; });
}

bool WritesAnything(const Node& node) {
  for (size_t a = 0; a < node.arguments.size(); ++a) {
    if (WritesInto(node, a)) return true;
  }
  return false;
}

/// Whether the result shares the memory of an argument; composite operators that may do so do not count.
bool IsView(const Node& node) {
  if (std::find(kUnsafeViews.begin(), kUnsafeViews.end(), node.op->name()) != kUnsafeViews.end()) return true;
  if (!node.op->is_builtin() && !AdmitsAliases(node.op->schema())) return false;
  for (size_t a = 0; a < node.arguments.size(); ++a) {
    if (node.op->may_alias(0, a)) return true;
  }
  return false;
}

class Judge {
 public:
  explicit Judge(const Joint& joint)
      : graph_(joint.graph), sets_(joint.graph), written_(WrittenSets(joint.graph, sets_)) {
    for (size_t i = 0; i < joint.forward_nodes; ++i) verdicts_.push_back(Of(graph_.nodes()[i]));
  }

  std::vector<Recompute> Take() && { return std::move(verdicts_); }

 private:
  Recompute Of(const Node& node) {
    if (node.results.size() != 1 || node.op->is_random() || TouchesWrittenMemory(node))
      return Recompute::kNever;
    if (IsNumber(graph_.value(node.results[0]).kind)) return Recompute::kNever;
    if (IsView(node)) return IsElementOfSavedList(node) ? Recompute::kNever : Recompute::kFree;
    return IsCheap(*node.op) ? Recompute::kCheap : Recompute::kNever;
  }

  bool TouchesWrittenMemory(const Node& node) {
    bool touches = WritesAnything(node);
    const auto look = [&](ValueId id) { touches = touches || written_[sets_.SetOf(id)]; };
    for (const Argument& argument : node.arguments) ForEachValue(argument, look);
    for (const ValueId result : node.results) look(result);
    return touches;
  }

  // A list that cannot be recomputed is better saved as those of its elements that are needed.
  bool IsElementOfSavedList(const Node& node) const {
    if (node.op->name() != "python::getitem" || !node.arguments[0].is_value()) return false;
    const graph::Value& list = graph_.value(node.arguments[0].value());
    return list.origin == graph::Origin::kNode && verdicts_[list.origin_index] == Recompute::kNever;
  }

  const graph::Graph& graph_;
  graph::MemorySets sets_;
  std::vector<bool> written_;
  std::vector<Recompute> verdicts_;
};

}  // namespace

bool IsNumber(ValueKind kind) {
  return kind != ValueKind::kTensor && kind != ValueKind::kTensorList;
}

bool IsCheap(const graph::Operator& op) {
  return std::binary_search(kCheap.begin(), kCheap.end(), op.name());
}

std::vector<Recompute> RecomputeOf(const Joint& joint) {
  return Judge(joint).Take();
}

}  // namespace culprit::autograd
