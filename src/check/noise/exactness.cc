// SPDX-License-Identifier: Apache-2.0
#include "check/noise/exactness.h"

#include <algorithm>
#include <iterator>

#include "check/noise/operator_family.h"

namespace culprit::check {
namespace {

// Of any overload, in place or not, in alphabetical order.
constexpr std::string_view kAlwaysExact[] = {
    "abs",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "amax",
    "amin",
    "arange",
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
    "diagonal_copy",
    "embedding",
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "fill",
    "flip",
    "floor",
    "full",
    "full_like",
    "gather",
    "hardtanh",
    "im2col",
    "index",
    "index_copy",
    "index_fill",
    "index_put",
    "index_select",
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
    "index_put",
    "leaky_relu",
    "max_pool2d_with_indices",
    "max_pool3d_with_indices",
    "median",
    "native_dropout",
    "normal",
    "put",
    "scatter",
    "sort",
    "topk",
};

/// Beside those that round nothing: views, comparisons, and what is computed from the exact quotient.
constexpr std::string_view kSpecified[] = {
    "_reshape_alias",
    "_unsafe_view",
    "alias",
    "all",
    "any",
    "argmax",
    "argmin",
    "as_strided",
    "broadcast_to",
    "bucketize",
    "chunk",
    "copysign",
    "count_nonzero",
    "detach",
    "diagonal",
    "eq",
    "expand",
    "expand_as",
    "flatten",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "ge",
    "gt",
    "heaviside",
    "isfinite",
    "isinf",
    "isnan",
    "le",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "movedim",
    "narrow",
    "ne",
    "nonzero",
    "permute",
    "remainder",
    "reshape",
    "searchsorted",
    "select",
    "signbit",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "t",
    "transpose",
    "unbind",
    "unflatten",
    "unfold",
    "unsqueeze",
    "view",
    "view_as",
};

template <size_t kCount>
bool Contains(const std::string_view (&table)[kCount], std::string_view family) {
  return std::ranges::binary_search(table, family);
}

/// div(x, y, rounding_mode="floor"), round(x, decimals=2).
bool HasArgument(const graph::Node& node, std::string_view name) {
  const auto& arguments = node.op->schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name() == name) return !node.arguments[i].is_none();
  }
  return false;
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
  if (node.op->is_builtin()) return true;
  const std::string_view family = FamilyOf(node.op->name());
  if (Contains(kSpecified, family)) return true;
  if (family == "div" || family == "divide") return HasArgument(node, "rounding_mode");
  if (Contains(kNotSpecified, family) || HasArgument(node, "decimals")) return false;
  return Contains(kAlwaysExact, family);
}

}  // namespace culprit::check
