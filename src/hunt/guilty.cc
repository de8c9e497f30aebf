// SPDX-License-Identifier: Apache-2.0
#include "hunt/guilty.h"

#include <fmt/format.h>

#include <map>

#include "minify/node_names.h"

namespace culprit::hunt {
namespace {

std::map<std::string, std::string> OperatorsByName(const graph::Graph& graph) {
  std::map<std::string, std::string> operators;
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size(); ++i) operators[names[i]] = graph.nodes()[i].op->name();
  return operators;
}

}  // namespace

std::vector<GuiltyOperator> GuiltyOf(const graph::Graph& graph, const graph::Graph& original,
                                     const Sources& sources) {
  std::vector<GuiltyOperator> guilty;
  const std::map<std::string, std::string> before = OperatorsByName(original);
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& now = graph.nodes()[i].op->name();
    const auto source = sources.find(names[i]);
    const auto replaced = before.find(names[i]);
    std::string place = source == sources.end() ? "" : source->second;
    if (replaced != before.end() && replaced->second != now)
      place = fmt::format("in the place of {}{}{}", replaced->second, place.empty() ? "" : ", ", place);
    guilty.push_back({names[i], now, std::move(place)});
  }
  return guilty;
}

}  // namespace culprit::hunt
