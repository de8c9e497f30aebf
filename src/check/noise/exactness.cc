// SPDX-License-Identifier: Apache-2.0
#include "check/noise/exactness.h"

#include <algorithm>
#include <iterator>

#include "check/noise/operator_family.h"

namespace culprit::check {
namespace {

// Of any overload, in place or not, in alphabetical order.
constexpr std::string_view kAlwaysExact[] = {
    "_unique",
    "_unique2",
    "abs",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "amax",
    "amin",
    "aminmax",
    "arange",
    "argsort",
    "bernoulli",
    "cat",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clone",
    "constant_pad_nd",
    "contiguous",
    "copy",
    "copysign",
    "cummax",
    "cummin",
    "diagonal_copy",
    "embedding",
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "fill",
    "flip",
    "floor",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "full",
    "full_like",
    "gather",
    "hardtanh",
    "heaviside",
    "im2col",
    "index",
    "index_copy",
    "index_fill",
    "index_put",
    "index_select",
    "isin",
    "kthvalue",
    "leaky_relu",
    "lift_fresh_copy",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "max",
    "max_pool2d_with_indices",
    "max_pool3d_with_indices",
    "maximum",
    "median",
    "min",
    "minimum",
    "mode",
    "native_dropout",
    "neg",
    "new_empty",
    "new_full",
    "new_ones",
    "new_zeros",
    "normal",
    "one_hot",
    "ones",
    "ones_like",
    "pixel_shuffle",
    "pixel_unshuffle",
    "put",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "reflection_pad1d",
    "reflection_pad2d",
    "reflection_pad3d",
    "relu",
    "repeat",
    "repeat_interleave",
    "replication_pad1d",
    "replication_pad2d",
    "replication_pad3d",
    "roll",
    "round",
    "scalar_tensor",
    "scatter",
    "select_scatter",
    "sgn",
    "sign",
    "slice_scatter",
    "sort",
    "split_with_sizes_copy",
    "stack",
    "take",
    "threshold",
    "topk",
    "tril",
    "triu",
    "trunc",
    "uniform",
    "unique_consecutive",
    "unique_dim",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "where",
    "zero",
    "zeros",
    "zeros_like",
};

constexpr std::string_view kNeverExact[] = {
    "_log_softmax", "_softmax",    "atan",        "cos",       "cosh",     "erf",   "erfc",
    "exp",          "exp2",        "expm1",       "gelu",      "log",      "log10", "log1p",
    "log2",         "log_sigmoid", "log_softmax", "logsumexp", "mish",     "rsqrt", "sigmoid",
    "silu",         "sin",         "sinh",        "softmax",   "softplus", "tan",   "tanh",
};

/// Of those that round nothing: what may choose another of equal numbers, add some up, or multiplies.
constexpr std::string_view kNotSpecified[] = {
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "argsort",
    "cummax",
    "cummin",
    "index_put",
    "kthvalue",
    "leaky_relu",
    "max_pool2d_with_indices",
    "max_pool3d_with_indices",
    "median",
    "mode",
    "native_dropout",
    "normal",
    "put",
    "scatter",
    "sort",
    "topk",
};

/// Beside those that round nothing: comparisons, casts, and what is computed from the exact quotient.
constexpr std::string_view kSpecified[] = {
    "_to_copy",    "_unsafe_view",  "all",         "any",   "argmax",       "argmin",
    "bucketize",   "count_nonzero", "eq",          "equal", "floor_divide", "ge",
    "gt",          "isfinite",      "isinf",       "isnan", "le",           "logical_and",
    "logical_not", "logical_or",    "logical_xor", "lt",    "ne",           "nonzero",
    "remainder",   "searchsorted",  "signbit",
};

/// One operation, rounded once. Of complex numbers all but sums and differences are several.
constexpr std::string_view kSums[] = {"add", "rsub", "sub"};
constexpr std::string_view kProducts[] = {"div", "divide", "mul", "multiply", "reciprocal", "sqrt"};

template <size_t kCount>
bool Contains(const std::string_view (&table)[kCount], std::string_view family) {
  return std::ranges::binary_search(table, family);
}

/// Null if it has none of this name.
const graph::Argument* FindArgument(const graph::Node& node, std::string_view name) {
  const auto& arguments = node.op->schema().arguments();
  const auto found = std::ranges::find(arguments, name, &c10::Argument::name);
  return found == arguments.end() ? nullptr : &node.arguments[found - arguments.begin()];
}

/// div(x, y, rounding_mode="floor"), round(x, decimals=2).
bool HasArgument(const graph::Node& node, std::string_view name) {
  const graph::Argument* argument = FindArgument(node, name);
  return argument != nullptr && !argument->is_none();
}

/// add(x, y, alpha=2), which multiplies, too.
bool IsScaled(const graph::Node& node) {
  const graph::Argument* alpha = FindArgument(node, "alpha");
  if (alpha == nullptr) return false;
  return !alpha->is_constant() || !alpha->constant().isScalar() || !alpha->constant().toScalar().equal(1);
}

/// sort(x, stable=True).
bool KeepsOrder(const graph::Node& node) {
  const graph::Argument* stable = FindArgument(node, "stable");
  return stable != nullptr && stable->is_constant() && stable->constant().isBool() &&
         stable->constant().toBool();
}

/// Its masks are as low as numbers can be, and nobody adds these up.
bool IsAttention(std::string_view family) {
  return family.find("scaled_dot_product") != std::string_view::npos || family == "_fused_sdp_choice";
}

bool IsView(const graph::Operator& op) {
  const auto has_alias = [](const c10::Argument& result) { return result.alias_info() != nullptr; };
  return !op.writes_any() && std::ranges::any_of(op.schema().returns(), has_alias);
}

}  // namespace

Exactness ExactnessOf(std::string_view op) {
  static_assert(std::ranges::is_sorted(kAlwaysExact) && std::ranges::is_sorted(kNeverExact));
  const std::string_view family = FamilyOf(op);
  if (Contains(kAlwaysExact, family)) return Exactness::kAlways;
  return Contains(kNeverExact, family) ? Exactness::kNever : Exactness::kWholeNumbers;
}

bool IsSpecified(const graph::Node& node) {
  static_assert(std::ranges::is_sorted(kNotSpecified) && std::ranges::is_sorted(kSpecified));
  if (node.op->is_builtin() || IsView(*node.op) || KeepsOrder(node)) return true;
  const std::string_view family = FamilyOf(node.op->name());
  if (Contains(kSpecified, family)) return true;
  if (Contains(kSums, family)) return !IsScaled(node);
  if (Contains(kProducts, family)) return HasArgument(node, "rounding_mode");
  if (Contains(kNotSpecified, family) || HasArgument(node, "decimals")) return false;
  return Contains(kAlwaysExact, family);
}

bool IsSpecifiedOfReals(const graph::Node& node) {
  static_assert(std::ranges::is_sorted(kSums) && std::ranges::is_sorted(kProducts));
  return Contains(kProducts, FamilyOf(node.op->name()));
}

bool AddsUp(const graph::Node& node) {
  const std::string_view family = FamilyOf(node.op->name());
  return ExactnessOf(family) == Exactness::kWholeNumbers && !IsSpecified(node) && !IsSpecifiedOfReals(node) &&
         !IsAttention(family);
}

bool RoundsComplex(std::string_view op) {
  const std::string_view family = FamilyOf(op);
  return family == "abs" || family == "sgn";
}

}  // namespace culprit::check
