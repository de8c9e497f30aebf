// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/guilty.h"

#include <fmt/format.h>

#include <map>

#include "graph/ir/model_line.h"
#include "minify/program/node_names.h"

namespace culprit::hunt {
namespace {

std::map<std::string, const graph::Node*> NodesByName(const graph::Graph& graph) {
  std::map<std::string, const graph::Node*> nodes;
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size(); ++i) nodes[names[i]] = &graph.nodes()[i];
  return nodes;
}

}  // namespace

std::vector<GuiltyOperator> GuiltyOf(const graph::Graph& graph, const graph::Graph& original,
                                     const Sources& sources) {
  std::vector<GuiltyOperator> guilty;
  const std::map<std::string, const graph::Node*> before = NodesByName(original);
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    GuiltyOperator now{.name = names[i], .operator_name = graph.nodes()[i].op->name()};
    if (const auto source = sources.find(names[i]); source != sources.end()) now.source = source->second;
    if (const auto was = before.find(names[i]); was != before.end()) {
      const graph::Node& node = *was->second;
      if (node.model_line) now.module = graph::ModuleOf(*node.model_line);
      if (node.op->name() != now.operator_name)
        now.source = fmt::format("in the place of {}{}{}", node.op->name(), now.source.empty() ? "" : ", ",
                                 now.source);
    }
    guilty.push_back(std::move(now));
  }
  return guilty;
}

}  // namespace culprit::hunt
