// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/functionalized_call.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::graph::text {
namespace {

using base::Diagnostic;
using base::Result;
using Keywords = std::vector<std::pair<std::string, Argument>>;

/// A list of more is no call that somebody wrote.
constexpr int64_t kMostViews = 10'000;

std::optional<Argument> Take(Keywords& keywords, const std::string& name) {
  const auto found = std::ranges::find(keywords, name, &Keywords::value_type::first);
  if (found == keywords.end()) return std::nullopt;
  Argument taken = std::move(found->second);
  keywords.erase(found);
  return taken;
}

Result<Argument> TakeNeeded(Keywords& keywords, const std::string& name) {
  if (std::optional<Argument> taken = Take(keywords, name)) return *std::move(taken);
  return Diagnostic{{}, fmt::format("'{}' is missing", name)};
}

/// A constant int from 0 to `most`.
Result<int64_t> NumberOf(const Argument& argument, const std::string& name, int64_t most) {
  if (!argument.is_constant() || !argument.constant().isInt())
    return Diagnostic{{}, fmt::format("'{}' has to be a constant int", name)};
  const int64_t number = argument.constant().toInt();
  if (number >= 0 && number <= most) return number;
  return Diagnostic{{}, fmt::format("'{}' is {}, and has to be from 0 to {}", name, number, most)};
}

Result<Argument> CallForOne(CallBuilder& calls, std::string_view op, std::vector<Argument> positional) {
  std::optional<size_t> failed_at;
  const Binding result = CULPRIT_TRY(calls.Call(op, {.positional = std::move(positional)}, &failed_at));
  return result.items.front();
}

Result<Argument> Copied(const Argument& argument, CallBuilder& calls) {
  if (argument.is_none()) return argument;
  if (!argument.is_list()) return CallForOne(calls, "torch.ops.aten.clone.default", {argument});
  Argument::List copies;
  for (const Argument& element : argument.list()) copies.push_back(CULPRIT_TRY(Copied(element, calls)));
  return Argument(std::move(copies));
}

/// What stands for an argument that is written: parts of the copied bases, as keywords describe them.
class ViewsOfBases {
 public:
  ViewsOfBases(const Argument::List& bases, Keywords& keywords, CallBuilder& calls)
      : bases_(bases), keywords_(keywords), calls_(calls) {}

  Result<Argument> Of(const std::string& argument) {
    const std::string length = fmt::format("_{}_length", argument);
    const std::optional<Argument> count = Take(keywords_, length);
    if (!count) return One("_" + argument);
    if (count->is_none()) return *count;
    Argument::List views;
    for (int64_t i = 0, end = CULPRIT_TRY(NumberOf(*count, length, kMostViews)); i < end; ++i)
      views.push_back(CULPRIT_TRY(One(fmt::format("_{}_{}", argument, i))));
    return Argument(std::move(views));
  }

 private:
  Result<Argument> One(const std::string& prefix) {
    const std::string name = prefix + "_base_index";
    const Argument index = CULPRIT_TRY(TakeNeeded(keywords_, name));
    if (index.is_none()) return index;
    const auto most = static_cast<int64_t>(bases_.size()) - 1;
    const Argument& base = bases_[CULPRIT_TRY(NumberOf(index, name, most))];
    if (Take(keywords_, prefix + "_alias")) return CallForOne(calls_, "torch.ops.aten.alias.default", {base});
    if (std::optional<Argument> offset = Take(keywords_, prefix + "_storage_offset")) {
      Argument size = CULPRIT_TRY(TakeNeeded(keywords_, prefix + "_size"));
      Argument stride = CULPRIT_TRY(TakeNeeded(keywords_, prefix + "_stride"));
      return CallForOne(calls_, "torch.ops.aten.as_strided.default",
                        {base, std::move(size), std::move(stride), *std::move(offset)});
    }
    if (std::optional<Argument> dim = Take(keywords_, prefix + "_slice_dim")) {
      Argument start = CULPRIT_TRY(TakeNeeded(keywords_, prefix + "_slice_start"));
      Argument end = CULPRIT_TRY(TakeNeeded(keywords_, prefix + "_slice_end"));
      return CallForOne(calls_, "torch.ops.aten.slice.Tensor",
                        {base, *std::move(dim), std::move(start), std::move(end)});
    }
    return base;
  }

  const Argument::List& bases_;
  Keywords& keywords_;
  CallBuilder& calls_;
};

/// The names of the arguments of which the schema says that the operator writes them.
std::vector<std::string> Written(const Operator& op) {
  std::vector<std::string> names;
  for (const c10::Argument& argument : op.schema().arguments()) {
    if (argument.alias_info() != nullptr && argument.alias_info()->isWrite())
      names.push_back(argument.name());
  }
  return names;
}

/// Puts copies in place of what is written, and returns them.
Result<Argument::List> CopyWritten(const std::vector<std::string>& written, Keywords& keywords,
                                   CallBuilder& calls) {
  Argument::List copies;
  for (const std::string& name : written) {
    copies.push_back(CULPRIT_TRY(Copied(CULPRIT_TRY(TakeNeeded(keywords, name)), calls)));
    keywords.emplace_back(name, copies.back());
  }
  return copies;
}

/// Puts views of copies in place of what is written, and returns the copies.
Result<Argument::List> CopyBases(const std::vector<std::string>& written, Keywords& keywords,
                                 CallBuilder& calls) {
  const Argument bases = CULPRIT_TRY(TakeNeeded(keywords, "_all_bases"));
  if (!bases.is_list()) return Diagnostic{{}, "'_all_bases' has to be a list"};
  const Argument copies = CULPRIT_TRY(Copied(bases, calls));
  ViewsOfBases views(copies.list(), keywords, calls);
  for (const std::string& name : written) keywords.emplace_back(name, CULPRIT_TRY(views.Of(name)));
  return copies.list();
}

}  // namespace

std::optional<WrappedCall> FindWrappedCall(std::string_view function) {
  const std::string_view name = function.substr(function.rfind('.') + 1);
  if (name == "auto_functionalized") return WrappedCall::kOnCopies;
  if (name == "auto_functionalized_v2") return WrappedCall::kOnCopiesOfBases;
  if (name == "with_effects") return WrappedCall::kWithEffects;
  return std::nullopt;
}

Result<Binding> CallOnCopies(WrappedCall kind, std::string_view op, WrittenArguments arguments,
                             CallBuilder& calls) {
  const Operator* known = CULPRIT_TRY(calls.OperatorNamed(op));
  // What each was written as is known by its place, and places change.
  arguments.written_as.clear();
  const auto copy = kind == WrappedCall::kOnCopies ? CopyWritten : CopyBases;
  const Argument::List copies = CULPRIT_TRY(copy(Written(*known), arguments.keyword, calls));
  std::optional<size_t> failed_at;
  Binding results = CULPRIT_TRY(calls.Call(op, arguments, &failed_at));
  if (results.items.empty()) results.items.emplace_back();
  results.items.insert(results.items.end(), copies.begin(), copies.end());
  results.is_tuple = true;
  return results;
}

Binding BehindFirst(const Argument& first, Binding results) {
  if (results.items.empty()) results.items.emplace_back();
  results.items.insert(results.items.begin(), first);
  results.is_tuple = true;
  return results;
}

}  // namespace culprit::graph::text
