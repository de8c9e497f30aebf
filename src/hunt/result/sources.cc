// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/sources.h"

#include <fmt/format.h>

#include "minify/program/node_names.h"

namespace culprit::hunt {

Sources SourcesOf(const graph::Graph& graph, const std::vector<uint32_t>& node_lines,
                  const std::string& file) {
  Sources sources;
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size() && i < node_lines.size(); ++i) {
    const graph::ModelLine& line = graph.nodes()[i].model_line;
    if (file.empty()) {
      if (line) sources[names[i]] = *line;
    } else if (node_lines[i] != 0) {
      sources[names[i]] = fmt::format("{}:{}", file, node_lines[i]) + (line ? " (" + *line + ")" : "");
    }
  }
  return sources;
}

}  // namespace culprit::hunt
