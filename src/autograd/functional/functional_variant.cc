// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/functional_variant.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>

namespace culprit::autograd {
namespace {

using graph::Operator;
using Kind = FunctionalVariant::Kind;

struct Pair {
  std::string_view writing;
  std::string_view functional;
};

/// Where leaving out the underscore is not enough.
constexpr Pair kFunctional[] = {
    {"aten::bernoulli_.float", "aten::bernoulli.p"},
    {"aten::floor_divide_.Tensor", "aten::floor_divide"},
    {"aten::normal_", "aten::normal_functional"},
    {"aten::pow_.Tensor", "aten::pow.Tensor_Tensor"},
};

constexpr Pair kViews[] = {
    {"aten::as_strided_", "aten::as_strided"},
    {"aten::squeeze_", "aten::squeeze"},
    {"aten::squeeze_.dim", "aten::squeeze.dim"},
    {"aten::squeeze_.dims", "aten::squeeze.dims"},
    {"aten::t_", "aten::t"},
    {"aten::transpose_", "aten::transpose.int"},
    {"aten::unsqueeze_", "aten::unsqueeze"},
};

constexpr std::string_view kNothing[] = {"aten::detach_", "aten::requires_grad_"};

/// They change what a tensor is, not what it holds.
constexpr std::string_view kNone[] = {"aten::resize_", "aten::resize_as_", "aten::set_", "aten::set_data",
                                      "aten::_resize_output_"};

const Operator* Find(std::string_view qualified) {
  const size_t dot = qualified.find('.');
  if (dot == std::string_view::npos) return Operator::Find(qualified, "");
  return Operator::Find(qualified.substr(0, dot), qualified.substr(dot + 1));
}

const Operator* FindPartner(std::span<const Pair> pairs, const std::string& name) {
  const auto found = std::ranges::find(pairs, name, &Pair::writing);
  return found == pairs.end() ? nullptr : Find(found->functional);
}

bool HasSchemaWrites(const Operator& op) {
  return std::ranges::any_of(op.schema().arguments(), IsWrittenBySchema);
}

/// Whether `functional` takes what `op` takes, but for the arguments that are only written.
bool TakesTheSame(const Operator& op, const Operator& functional) {
  std::vector<c10::TypePtr> types;
  for (size_t i = 0; i < op.schema().arguments().size(); ++i) {
    if (!IsOutArgument(op, i)) types.push_back(op.schema().arguments()[i].type());
  }
  const auto& taken = functional.schema().arguments();
  return std::ranges::equal(types, taken, [](const c10::TypePtr& type, const c10::Argument& argument) {
    return *type == *argument.type();
  });
}

const Operator* FindWithoutOut(const Operator& op) {
  for (const std::string& overload : graph::OverloadsOf(op.name())) {
    const Operator* candidate = Operator::Find(op.name(), overload);
    if (candidate != nullptr && !candidate->writes_any() && TakesTheSame(op, *candidate)) return candidate;
  }
  return nullptr;
}

const Operator* FindFunctional(const Operator& op) {
  if (const Operator* known = FindPartner(kFunctional, op.qualified_name())) return known;
  const bool has_out = IsOutArgument(op, op.slots().size() - 1);
  if (has_out) return FindWithoutOut(op);
  if (!op.name().ends_with("_")) return nullptr;
  const Operator* plain = Operator::Find(op.name().substr(0, op.name().size() - 1), op.overload());
  return plain != nullptr && !plain->writes_any() && TakesTheSame(op, *plain) ? plain : nullptr;
}

FunctionalVariant Decide(const Operator& op) {
  if (std::ranges::find(kNothing, op.name()) != std::end(kNothing)) return {Kind::kNothing};
  if (std::ranges::find(kNone, op.name()) != std::end(kNone)) return {Kind::kNone};
  if (op.qualified_name() == "aten::copy_") return {Kind::kCopy};
  if (const Operator* view = FindPartner(kViews, op.qualified_name())) return {Kind::kView, view};
  if (!HasSchemaWrites(op)) return {Kind::kPrivateCopy};
  const Operator* functional = FindFunctional(op);
  return functional == nullptr ? FunctionalVariant{Kind::kPrivateCopy}
                               : FunctionalVariant{Kind::kFunctional, functional};
}

}  // namespace

bool IsWrittenBySchema(const c10::Argument& argument) {
  const c10::AliasInfo* alias = argument.alias_info();
  return alias != nullptr &&
         (alias->isWrite() || std::ranges::any_of(alias->containedTypes(), &c10::AliasInfo::isWrite));
}

bool IsOutArgument(const Operator& op, size_t argument) {
  const c10::Argument& described = op.schema().arguments()[argument];
  return op.writes(argument) && described.kwarg_only() && described.alias_info() != nullptr;
}

const FunctionalVariant& FunctionalVariantOf(const Operator& op) {
  static std::mutex mutex;
  static std::unordered_map<const Operator*, FunctionalVariant> variants;
  const std::lock_guard lock(mutex);
  const auto known = variants.find(&op);
  if (known != variants.end()) return known->second;
  return variants.emplace(&op, Decide(op)).first->second;
}

}  // namespace culprit::autograd
