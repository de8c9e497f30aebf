// SPDX-License-Identifier: Apache-2.0
#include "capture/numbers/number_operators.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace culprit::capture {
namespace {

/// All without `aten::`.
constexpr std::string_view kElementwise[] = {
    "abs",         "add",         "bitwise_and",  "bitwise_not", "bitwise_or", "ceil",    "div",
    "eq",          "floor",       "floor_divide", "fmod",        "ge",         "gt",      "le",
    "logical_and", "logical_not", "logical_or",   "lt",          "maximum",    "minimum", "mul",
    "ne",          "neg",         "pow",          "remainder",   "round",      "rsub",    "sqrt",
    "square",      "sub",         "to",           "true_divide", "trunc",
};

constexpr std::string_view kInPlace[] = {"add_", "div_",       "floor_divide_", "mul_",
                                         "neg_", "remainder_", "sub_"};

constexpr std::string_view kReductions[] = {"max", "min", "prod", "sum"};

constexpr std::string_view kMoves[] = {
    "alias",  "cat",   "clone",   "contiguous", "detach", "flatten",   "lift_fresh", "lift_fresh_copy",
    "select", "slice", "squeeze", "stack",      "unbind", "unsqueeze", "view",
};

constexpr std::string_view kTakes[] = {
    "Bool", "Float", "FloatImplicit", "Int", "IntImplicit", "ScalarImplicit", "is_nonzero", "item",
};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<NumberUse> NumberUseOf(const vm::CalledOperator& called) {
  constexpr std::string_view kOwn = "aten::";
  std::string_view name = called.name;
  if (!name.starts_with(kOwn)) return std::nullopt;
  name.remove_prefix(kOwn.size());
  if (Has(kTakes, name)) return NumberUse::kTake;
  if (called.dispatched == nullptr || !called.dispatched->results()) return std::nullopt;
  const std::string& overload = called.dispatched->overload();
  if (Has(kReductions, name)) {
    // min and max of two tensors.
    if (overload == "other") return NumberUse::kElementwise;
    return overload.empty() ? std::optional(NumberUse::kReduction) : std::nullopt;
  }
  if (overload.ends_with("out")) return std::nullopt;
  if (Has(kElementwise, name)) return NumberUse::kElementwise;
  if (Has(kInPlace, name)) return NumberUse::kInPlace;
  return Has(kMoves, name) ? std::optional(NumberUse::kMove) : std::nullopt;
}

}  // namespace culprit::capture
