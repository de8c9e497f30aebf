// SPDX-License-Identifier: Apache-2.0
#include "minify/program/node_names.h"

#include <fmt/format.h>

#include <unordered_map>

namespace culprit::minify {

std::vector<std::string> NodeNames(const graph::Graph& graph) {
  std::vector<std::string> names;
  std::unordered_map<const graph::Operator*, size_t> without_results;
  for (const graph::Node& node : graph.nodes()) {
    names.push_back(node.results.empty()
                        ? fmt::format("{}#{}", node.op->qualified_name(), ++without_results[node.op])
                        : graph.value(node.results[0]).name);
  }
  return names;
}

}  // namespace culprit::minify
