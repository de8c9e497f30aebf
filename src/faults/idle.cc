// SPDX-License-Identifier: Apache-2.0
#include "faults/idle.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace culprit::faults {
namespace {

using graph::Graph;

/// With as many parts of the name as the pattern has.
std::string NameLike(const OperatorPattern& pattern, std::string_view full_name, std::string_view overload) {
  const size_t scope = full_name.find("::");
  OperatorPattern name{.name = std::string(full_name.substr(scope + 2))};
  if (!pattern.name_space.empty()) name.name_space = full_name.substr(0, scope);
  if (!pattern.overload.empty()) name.overload = overload.empty() ? "default" : overload;
  return name.ToString();
}

std::vector<std::string> NamesIn(const Graph& graph, const OperatorPattern& pattern) {
  std::vector<std::string> names;
  for (const graph::Node& node : graph.nodes())
    names.push_back(NameLike(pattern, node.op->name(), node.op->overload()));
  return names;
}

std::vector<std::string> AllNames(const OperatorPattern& pattern) {
  std::vector<std::string> names;
  for (const std::string_view name : graph::AllOperatorNames()) {
    for (const std::string& overload : graph::OverloadsOf(name))
      names.push_back(NameLike(pattern, name, overload));
  }
  return names;
}

std::string Suggestion(const std::string& name, const std::vector<std::string>& names) {
  return base::DidYouMean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

bool IsCalled(const Graph& graph, const OperatorPattern& pattern) {
  return std::ranges::any_of(graph.nodes(),
                             [&](const graph::Node& node) { return pattern.Matches(*node.op); });
}

base::Result<std::string> WhyNotCalled(const Graph& graph, const OperatorPattern& pattern) {
  const std::string name = pattern.ToString();
  const std::string near = Suggestion(name, NamesIn(graph, pattern));
  const std::vector<std::string> all = AllNames(pattern);
  if (std::ranges::find(all, name) != all.end()) return fmt::format("it does not call '{}'{}", name, near);
  return base::Diagnostic{{},
                          fmt::format("unknown operator '{}'{}", base::Shortened(name),
                                      near.empty() ? Suggestion(name, all) : near)};
}

}  // namespace

base::Result<std::string> WhyIdle(const Where& where, const Graph& graph) {
  if (!IsCalled(graph, where.guilty)) return WhyNotCalled(graph, where.guilty);
  if (where.relation != PairRelation::kAlone && !IsCalled(graph, where.other))
    return WhyNotCalled(graph, where.other);
  if (where.relation == PairRelation::kConsumes)
    return fmt::format("no '{}' uses what '{}' gives", where.guilty.ToString(), where.other.ToString());
  return fmt::format("it calls '{}' only once", where.guilty.ToString());
}

}  // namespace culprit::faults
