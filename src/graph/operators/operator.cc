// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

#include "base/internal_error.h"
#include "graph/operators/builtins.h"

namespace culprit::graph {
namespace {

// Operators that write into an argument although their schema does not say so.
struct HiddenWrite {
  std::string_view name;
  std::string_view argument;
};
constexpr std::array<HiddenWrite, 10> kHiddenWrites = {{
    {"aten::native_batch_norm", "running_mean"},
    {"aten::native_batch_norm", "running_var"},
    {"aten::batch_norm", "running_mean"},
    {"aten::batch_norm", "running_var"},
    {"aten::_batch_norm_impl_index", "running_mean"},
    {"aten::_batch_norm_impl_index", "running_var"},
    {"aten::instance_norm", "running_mean"},
    {"aten::instance_norm", "running_var"},
    {"aten::rrelu_with_noise", "noise"},
    {"aten::rrelu_with_noise_", "noise"},
}};

// Composite operators that never hand an argument through. It matters for weights: who writes into the result
// of a convolution does not write into its weight.
constexpr std::array<std::string_view, 22> kMakeFreshResults = {"aten::adaptive_avg_pool2d",
                                                                "aten::batch_norm",
                                                                "aten::bilinear",
                                                                "aten::conv1d",
                                                                "aten::conv2d",
                                                                "aten::conv3d",
                                                                "aten::conv_transpose1d",
                                                                "aten::conv_transpose2d",
                                                                "aten::conv_transpose3d",
                                                                "aten::cosine_similarity",
                                                                "aten::embedding_bag",
                                                                "aten::group_norm",
                                                                "aten::instance_norm",
                                                                "aten::layer_norm",
                                                                "aten::linear",
                                                                "aten::log_softmax",
                                                                "aten::matmul",
                                                                "aten::max_pool1d",
                                                                "aten::max_pool2d",
                                                                "aten::max_pool3d",
                                                                "aten::prelu",
                                                                "aten::softmax"};

bool MakesFreshResults(std::string_view name) {
  return std::find(kMakeFreshResults.begin(), kMakeFreshResults.end(), name) != kMakeFreshResults.end();
}

bool WritesSecretly(std::string_view name, std::string_view argument) {
  return std::any_of(kHiddenWrites.begin(), kHiddenWrites.end(),
                     [&](const HiddenWrite& row) { return row.name == name && row.argument == argument; });
}

// All of them are switched by an argument of their own; in-place ones write anyway.
bool SwitchesWrites(std::string_view name, std::string_view argument) {
  const bool is_switch = argument == "training" || argument == "use_input_stats";
  return is_switch && !name.ends_with('_') &&
         std::any_of(kHiddenWrites.begin(), kHiddenWrites.end(),
                     [&](const HiddenWrite& row) { return row.name == name; });
}

void CollectAliasSets(const c10::AliasInfo& info, std::set<c10::Symbol>& sets) {
  sets.insert(info.beforeSets().begin(), info.beforeSets().end());
  sets.insert(info.afterSets().begin(), info.afterSets().end());
  for (const c10::AliasInfo& contained : info.containedTypes()) CollectAliasSets(contained, sets);
}

std::set<c10::Symbol> AliasSets(const c10::Argument& argument) {
  std::set<c10::Symbol> sets;
  if (argument.alias_info() != nullptr) CollectAliasSets(*argument.alias_info(), sets);
  sets.erase(c10::AliasInfo::wildcardSet());
  return sets;
}

bool WritesByAnnotation(const c10::AliasInfo* info) {
  if (info == nullptr) return false;
  return info->isWrite() || std::any_of(info->containedTypes().begin(), info->containedTypes().end(),
                                        [](const c10::AliasInfo& part) { return WritesByAnnotation(&part); });
}

bool Intersect(const std::set<c10::Symbol>& a, const std::set<c10::Symbol>& b) {
  return std::any_of(a.begin(), a.end(), [&](c10::Symbol symbol) { return b.contains(symbol); });
}

bool HoldsTensors(const Slot& slot) {
  return slot.kind == SlotKind::kTensor || (slot.kind == SlotKind::kList && HoldsTensors(*slot.element));
}

bool DrawsRandomNumbers(const c10::OperatorHandle& handle) {
  if (handle.hasTag(at::Tag::nondeterministic_seeded)) return true;
  const auto& arguments = handle.schema().arguments();
  return std::any_of(arguments.begin(), arguments.end(), [](const c10::Argument& argument) {
    return Slot::FromType(*argument.real_type()).kind == SlotKind::kGenerator;
  });
}

}  // namespace

Operator::Operator(const c10::OperatorHandle& handle)
    : name_(handle.operator_name().name), overload_(handle.operator_name().overload_name), handle_(handle) {
  schema_ = &handle.schema();
  is_random_ = DrawsRandomNumbers(handle);
  DescribeSchema();
  DescribeAliases(handle.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) &&
                  !MakesFreshResults(name_));
}

Operator::Operator(const c10::FunctionSchema& schema, BuiltinFunction function)
    : name_(schema.name()), overload_(schema.overload_name()), builtin_schema_(schema), builtin_(function) {
  schema_ = &*builtin_schema_;
  DescribeSchema();
  DescribeAliases(/*composite=*/true);
}

void Operator::DescribeSchema() {
  for (const c10::Argument& argument : schema_->arguments()) {
    slots_.push_back(Slot::FromType(*argument.real_type(), argument.N().value_or(0)));
    writes_.push_back(WritesByAnnotation(argument.alias_info()) || WritesSecretly(name_, argument.name()));
    if (SwitchesWrites(name_, argument.name())) write_switch_ = slots_.size() - 1;
  }
  results_.emplace();
  for (const c10::Argument& result : schema_->returns()) {
    const std::optional<ValueKind> kind = KindOfResult(Slot::FromType(*result.real_type()));
    if (!kind) {
      results_.reset();
      break;
    }
    results_->push_back(*kind);
  }
}

// A composite operator may hand an argument through without saying so (dropout in eval mode does).
void Operator::DescribeAliases(bool composite) {
  for (const c10::Argument& result : schema_->returns()) {
    const std::set<c10::Symbol> result_sets = AliasSets(result);
    const bool tensors = HoldsTensors(Slot::FromType(*result.real_type()));
    for (size_t i = 0; i < slots_.size(); ++i) {
      const bool possible = tensors && HoldsTensors(slots_[i]);
      aliases_.push_back(possible &&
                         (composite || Intersect(result_sets, AliasSets(schema_->arguments()[i]))));
    }
  }
}

std::string Operator::qualified_name() const {
  return overload_.empty() ? name_ : name_ + "." + overload_;
}

bool Operator::writes_any() const {
  return std::find(writes_.begin(), writes_.end(), true) != writes_.end();
}

void Operator::Call(torch::jit::Stack& stack) const {
  if (builtin_ != nullptr) {
    builtin_(stack);
  } else {
    handle_->callBoxed(stack);
  }
}

const Operator* Operator::Find(std::string_view name, std::string_view overload) {
  static std::mutex mutex;
  static auto& interned = *new std::unordered_map<std::string, std::unique_ptr<const Operator>>();
  const std::string key = fmt::format("{}.{}", name, overload);
  const std::lock_guard lock(mutex);
  if (const auto found = interned.find(key); found != interned.end()) return found->second.get();

  std::unique_ptr<const Operator> op;
  if (const Builtin* builtin = FindBuiltin(name, overload)) {
    op.reset(new Operator(builtin->schema, builtin->function));
  } else if (const auto handle =
                 c10::Dispatcher::singleton().findSchema({std::string(name), std::string(overload)})) {
    op.reset(new Operator(*handle));
  } else {
    return nullptr;
  }
  return interned.emplace(key, std::move(op)).first->second.get();
}

const Operator& Operator::Get(std::string_view qualified_name) {
  const size_t dot = qualified_name.find('.');
  const std::string_view overload = dot == std::string_view::npos ? "" : qualified_name.substr(dot + 1);
  const Operator* op = Find(qualified_name.substr(0, dot), overload);
  CULPRIT_CHECK(op != nullptr, "there is no operator {}", qualified_name);
  return *op;
}

namespace {

using OverloadTable = std::unordered_map<std::string, std::vector<std::string>>;

const OverloadTable& OverloadsByName() {
  static const OverloadTable& table = *[] {
    auto* overloads = new OverloadTable();
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
      if (c10::Dispatcher::singleton().findSchema(name))
        (*overloads)[name.name].push_back(name.overload_name);
    }
    for (const Builtin& builtin : AllBuiltins()) {
      (*overloads)[builtin.schema.name()].push_back(builtin.schema.overload_name());
    }
    // A builtin may stand before an operator of libtorch's.
    for (auto& [name, names] : *overloads) {
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
    }
    return overloads;
  }();
  return table;
}

}  // namespace

const std::vector<std::string_view>& AllOperatorNames() {
  static const std::vector<std::string_view>& names = *[] {
    auto* all = new std::vector<std::string_view>();
    for (const auto& [name, overloads] : OverloadsByName()) all->push_back(name);
    std::sort(all->begin(), all->end());
    return all;
  }();
  return names;
}

std::vector<std::string> OverloadsOf(std::string_view name) {
  const auto found = OverloadsByName().find(std::string(name));
  return found == OverloadsByName().end() ? std::vector<std::string>() : found->second;
}

}  // namespace culprit::graph
