// SPDX-License-Identifier: Apache-2.0
#include "hunt/guilty.h"

#include "minify/node_names.h"

namespace culprit::hunt {

std::vector<GuiltyOperator> GuiltyOf(const graph::Graph& graph, const Sources& sources) {
  std::vector<GuiltyOperator> guilty;
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto source = sources.find(names[i]);
    guilty.push_back({names[i], graph.nodes()[i].op->name(), source == sources.end() ? "" : source->second});
  }
  return guilty;
}

}  // namespace culprit::hunt
