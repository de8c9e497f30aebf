// SPDX-License-Identifier: Apache-2.0
#include "faults/where.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit::faults {
namespace {

using graph::Graph;
using graph::NodeId;
using graph::Origin;

constexpr std::string_view kScope = "::";
constexpr std::string_view kNoOverload = "default";

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

base::Result<OperatorPattern> ParseOperator(std::string_view text) {
  OperatorPattern pattern;
  const auto wrong = [whole = text] {
    return base::Diagnostic{{},
                            fmt::format("'{}' is no operator, which would be written tanh, aten::tanh or "
                                        "aten::add.Tensor",
                                        base::Printable(whole))};
  };
  if (const size_t scope = text.find(kScope); scope != std::string_view::npos) {
    pattern.name_space = text.substr(0, scope);
    text.remove_prefix(scope + kScope.size());
    if (!IsName(pattern.name_space)) return wrong();
  }
  if (const size_t dot = text.find('.'); dot != std::string_view::npos) {
    pattern.overload = text.substr(dot + 1);
    text = text.substr(0, dot);
    if (!IsName(pattern.overload)) return wrong();
  }
  if (!IsName(text)) return wrong();
  pattern.name = text;
  return pattern;
}

bool Consumes(const Graph& graph, NodeId node, const OperatorPattern& producer) {
  bool found = false;
  for (const graph::Argument& argument : graph.node(node).arguments) {
    graph::ForEachValue(argument, [&](graph::ValueId id) {
      const graph::Value& value = graph.value(id);
      found =
          found || (value.origin == Origin::kNode && producer.Matches(*graph.nodes()[value.origin_index].op));
    });
  }
  return found;
}

bool StandsElsewhere(const Graph& graph, NodeId node, const OperatorPattern& other) {
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    if (i != Index(node) && other.Matches(*graph.nodes()[i].op)) return true;
  }
  return false;
}

}  // namespace

bool OperatorPattern::Matches(const graph::Operator& op) const {
  const std::string_view full = op.name();
  const size_t scope = full.find(kScope);
  const std::string_view called = full.substr(scope + kScope.size());
  const bool differs_in_place = name + "_" == called || name == std::string(called) + "_";
  if (called != name && !(ignores_in_place && differs_in_place)) return false;
  if (!name_space.empty() && full.substr(0, scope) != name_space) return false;
  return overload.empty() || (op.overload().empty() ? kNoOverload : op.overload()) == overload;
}

std::string OperatorPattern::ToString() const {
  return fmt::format("{}{}{}{}{}", name_space, name_space.empty() ? "" : kScope, name,
                     overload.empty() ? "" : ".", overload);
}

std::string Where::ToString() const {
  switch (relation) {
    case PairRelation::kAlone:
      return guilty.ToString();
    case PairRelation::kConsumes:
      return fmt::format("{}>{}", other.ToString(), guilty.ToString());
    case PairRelation::kAnywhere:
      return fmt::format("{}&{}", other.ToString(), guilty.ToString());
  }
  return "";
}

Where Where::BelowAutograd() const {
  Where below = *this;
  below.guilty.ignores_in_place = below.other.ignores_in_place = true;
  return below;
}

std::vector<NodeId> Where::GuiltyNodes(const Graph& graph) const {
  std::vector<NodeId> nodes;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const auto node = static_cast<NodeId>(i);
    if (!guilty.Matches(*graph.node(node).op)) continue;
    if (relation == PairRelation::kConsumes && !Consumes(graph, node, other)) continue;
    if (relation == PairRelation::kAnywhere && !StandsElsewhere(graph, node, other)) continue;
    nodes.push_back(node);
  }
  return nodes;
}

base::Result<Where> ParseWhere(std::string_view text) {
  const size_t sign = text.find_first_of(">&");
  if (sign == std::string_view::npos) return Where{CULPRIT_TRY(ParseOperator(text))};
  Where where{CULPRIT_TRY(ParseOperator(text.substr(sign + 1)))};
  where.other = CULPRIT_TRY(ParseOperator(text.substr(0, sign)));
  where.relation = text[sign] == '>' ? PairRelation::kConsumes : PairRelation::kAnywhere;
  return where;
}

}  // namespace culprit::faults
