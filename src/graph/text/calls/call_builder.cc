// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/call_builder.h"

#include <c10/util/ScopeExit.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "graph/text/calls/expand_translation.h"
#include "graph/translate/table.h"

namespace culprit::graph::text {
namespace {

using base::Diagnostic;
using base::Result;

struct OperatorName {
  std::string name;  // aten::add
  std::optional<std::string> overload;
};

// "torch.ops.aten.add.Tensor" -> {"aten::add", "Tensor"}; the overload "default" is "".
std::optional<OperatorName> SplitCallee(std::string_view callee) {
  for (const std::string_view prefix : {"torch.ops.", "ops."}) {
    if (callee.starts_with(prefix)) {
      callee.remove_prefix(prefix.size());
      break;
    }
  }
  std::vector<std::string_view> parts;
  while (true) {
    const size_t dot = callee.find('.');
    parts.push_back(callee.substr(0, dot));
    if (dot == std::string_view::npos) break;
    callee.remove_prefix(dot + 1);
  }
  if (parts.size() < 2 || parts.size() > 3 || parts[0] == "torch") return std::nullopt;
  OperatorName name{fmt::format("{}::{}", parts[0], parts[1]), std::nullopt};
  if (parts.size() == 3) name.overload = parts[2] == "default" ? "" : std::string(parts[2]);
  return name;
}

bool IsRegisteredInPython(std::string_view name) {
  return name.starts_with("prims::") || name.starts_with("rngprims::");
}

std::string Qualified(const OperatorName& name) {
  const std::string overload = name.overload.value_or("");
  return overload.empty() ? name.name : name.name + "." + overload;
}

Diagnostic UnknownOperator(const OperatorName& name) {
  const std::vector<std::string> overloads = OverloadsOf(name.name);
  if (!overloads.empty()) {
    std::vector<std::string_view> names;
    names.reserve(overloads.size());
    for (const std::string& overload : overloads) {
      names.push_back(overload.empty() ? std::string_view("default") : std::string_view(overload));
    }
    Diagnostic error{{},
                     fmt::format("{} has no overload '{}'{}", name.name, *name.overload,
                                 base::DidYouMean(*name.overload, names))};
    error.notes.push_back(fmt::format("its overloads are {}", fmt::join(names, ", ")));
    return error;
  }
  std::vector<std::string_view> names = AllOperatorNames();
  for (const auto rows : {translate::AllTranslations(), translate::CollectiveTranslations()}) {
    for (const translate::Translation& row : rows) names.push_back(row.op.substr(0, row.op.find('.')));
  }
  for (const translate::FunctionTranslation& row : translate::FunctionTranslations()) {
    names.push_back(row.op.substr(0, row.op.find('.')));
  }
  Diagnostic error{{}, fmt::format("unknown operator '{}'{}", name.name, base::DidYouMean(name.name, names))};
  const std::string prefix = name.name.substr(0, name.name.find("::") + 2);
  const auto is_sibling = [&](std::string_view other) { return other.starts_with(prefix); };
  if (std::any_of(names.begin(), names.end(), is_sibling)) return error;
  error.notes.push_back(fmt::format("PyTorch has no operators '{}*'; a library registers them", prefix));
  error.help = fmt::format("to load the library that registers '{}*', add: --load-library FILE", prefix);
  return error;
}

std::vector<const translate::Translation*> RowsOf(std::string_view op,
                                                  std::span<const translate::Translation> table) {
  std::vector<const translate::Translation*> rows;
  for (const translate::Translation& row : table) {
    if (row.op == op) rows.push_back(&row);
  }
  return rows;
}

const translate::FunctionTranslation* FunctionOf(std::string_view op,
                                                 std::span<const translate::FunctionTranslation> table) {
  for (const translate::FunctionTranslation& row : table) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

}  // namespace

CallBuilder::Callee CallBuilder::Lookup(std::string_view written) const {
  Callee callee;
  const std::optional<OperatorName> name = SplitCallee(written);
  if (!name) {
    callee.error = Diagnostic{{}, fmt::format("'{}' is not an operator", base::Printable(written))};
    callee.error->notes.emplace_back("operators are written torch.ops.NAMESPACE.NAME.OVERLOAD");
    return callee;
  }
  std::vector<std::string> overloads =
      name->overload ? std::vector{*name->overload} : OverloadsOf(name->name);
  for (const std::string& overload : overloads) {
    if (const Operator* op = Operator::Find(name->name, overload)) callee.operators.push_back(op);
  }
  callee.translations = RowsOf(Qualified(*name), translate::AllTranslations());
  callee.function = FunctionOf(Qualified(*name), translate::FunctionTranslations());
  callee.first_rows = RowsOf(Qualified(*name), translate::CollectiveTranslations());
  callee.first_function = FunctionOf(Qualified(*name), translate::CollectiveFunctions());
  const bool is_collective = !callee.first_rows.empty() || callee.first_function != nullptr;
  if (for_cpu_ && !is_collective) {
    callee.first_rows = RowsOf(Qualified(*name), translate::CudaOnlyTranslations());
    callee.first_function = FunctionOf(Qualified(*name), translate::CudaOnlyFunctions());
  }
  const bool is_translated = is_collective || !callee.translations.empty() || callee.function != nullptr;
  // In a process of Python they have kernels, and the graph has to be the one that others will read.
  if (is_translated && IsRegisteredInPython(name->name)) callee.operators.clear();
  if (callee.operators.empty() && !is_translated) callee.error = UnknownOperator(*name);
  return callee;
}

const CallBuilder::Callee& CallBuilder::Resolve(std::string_view written) {
  const auto [place, is_new] = callees_.try_emplace(std::string(written));
  if (is_new) place->second = Lookup(written);
  return place->second;
}

Result<const Operator*> CallBuilder::OperatorNamed(std::string_view written) {
  const Callee& callee = Resolve(written);
  if (callee.error) return *callee.error;
  if (callee.operators.size() == 1) return callee.operators.front();
  return Diagnostic{{}, fmt::format("'{}' does not name one overload", base::Printable(written))};
}

Result<std::optional<Binding>> CallBuilder::Translate(const std::vector<const translate::Translation*>& rows,
                                                      const translate::FunctionTranslation* function,
                                                      const WrittenArguments& arguments) {
  if (translating_) return std::optional<Binding>();
  const auto done = c10::make_scope_exit([&] { translating_ = false; });
  translating_ = true;
  for (const translate::Translation* row : rows) {
    Result<std::optional<Binding>> result = ExpandTranslation(*row, arguments, *this);
    if (!result.ok() || result->has_value()) return result;
  }
  if (function == nullptr) return std::optional<Binding>();
  return std::optional(CULPRIT_TRY(ExpandFunction(*function, arguments, *this)));
}

Result<Binding> CallBuilder::Call(std::string_view written, const WrittenArguments& arguments,
                                  std::optional<size_t>* failed_at) {
  const Callee& callee = Resolve(written);
  if (callee.error) return *callee.error;
  failed_at->reset();
  if (auto translated = CULPRIT_TRY(Translate(callee.first_rows, callee.first_function, arguments))) {
    return *std::move(translated);
  }
  std::optional<Diagnostic> first_error;
  std::optional<size_t> first_failed_at;
  for (const Operator* op : callee.operators) {
    failed_at->reset();
    Result<Binding> result = AddCall(*op, arguments, failed_at);
    if (result.ok()) return result;
    if (!first_error) {
      first_error = std::move(result).error();
      first_failed_at = *failed_at;
    }
  }
  failed_at->reset();
  if (auto translated = CULPRIT_TRY(Translate(callee.translations, callee.function, arguments))) {
    return *std::move(translated);
  }
  *failed_at = first_failed_at;
  if (first_error) return *std::move(first_error);
  return Diagnostic{
      {}, fmt::format("{} with these arguments has no translation to operators of libtorch", written)};
}

Result<Binding> CallBuilder::AddCall(const Operator& op, WrittenArguments arguments,
                                     std::optional<size_t>* failed_at) {
  if (!op.results()) {
    std::vector<std::string> types;
    for (const auto& result : op.schema().returns()) types.push_back(result.type()->annotation_str());
    return Diagnostic{
        {},
        fmt::format("{} returns {}, which a graph cannot hold", op.qualified_name(), fmt::join(types, ", "))};
  }
  Result<std::vector<Argument>> bound = BindArguments(graph_, op, arguments, failed_at);
  if (!bound.ok() && *failed_at) {
    const size_t index = **failed_at;
    const size_t positions = arguments.positional.size();
    const Argument& blamed =
        index < positions ? arguments.positional[index] : arguments.keyword[index - positions].second;
    if (MakeInts(blamed)) bound = BindArguments(graph_, op, arguments, failed_at);
  }
  if (!bound.ok()) return std::move(bound).error();
  return AddNode(op, *std::move(bound));
}

Binding CallBuilder::AddNode(const Operator& op, std::vector<Argument> bound) {
  const Node& node = graph_.AddNode(op, std::move(bound), std::vector<std::string>(op.results()->size()));
  return {{node.results.begin(), node.results.end()}, node.results.size() != 1};
}

bool CallBuilder::MakeInts(const Argument& argument) {
  bool changed = false;
  ForEachValue(argument, [&](ValueId id) {
    if (undetermined_.erase(id) == 0) return;
    graph_.SetValueKind(id, ValueKind::kInt);
    changed = true;
  });
  return changed;
}

Result<Binding> CallBuilder::CallBuiltin(std::string_view builtin, const std::vector<Argument>& arguments) {
  bool constant = true;
  bool has_float = false;
  for (const Argument& argument : arguments) {
    MakeInts(argument);
    constant = constant && argument.is_constant();
    has_float = has_float || (argument.is_constant() && argument.constant().isDouble()) ||
                (argument.is_value() && graph_.value(argument.value()).kind == ValueKind::kFloat);
  }
  for (const std::string_view overload : {has_float ? "float" : "int", "Tensor", "int", "float", "bool"}) {
    const Operator* op = Operator::Find(builtin, overload);
    if (op == nullptr) continue;
    Result<std::vector<Argument>> bound = BindArguments(graph_, *op, {arguments, {}});
    if (!bound.ok()) continue;
    if (!constant) return AddNode(*op, *std::move(bound));
    torch::jit::Stack stack;
    for (const Argument& argument : *bound) stack.push_back(argument.constant());
    try {
      op->Call(stack);
    } catch (const c10::Error& error) {
      return Diagnostic{{}, error.what_without_backtrace()};
    }
    return Binding::Single(Argument(stack.back()));
  }
  return Diagnostic{
      {},
      fmt::format("'{}' cannot be applied to these operands; in a graph only sizes are computed this way",
                  builtin.substr(builtin.find("::") + 2))};
}

}  // namespace culprit::graph::text
