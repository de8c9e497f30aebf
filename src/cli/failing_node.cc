// SPDX-License-Identifier: Apache-2.0
#include "cli/failing_node.h"

#include <fmt/format.h>

namespace culprit::cli {
namespace {

/// "view = torch.ops.aten.view.default", or the name of a builtin.
std::string Name(const graph::Graph& graph, const graph::Node& node) {
  const std::string& name = node.op->name();
  const size_t colons = name.find("::");
  const std::string overload = node.op->overload().empty() ? "default" : node.op->overload();
  const std::string call = node.op->is_builtin() ? name.substr(colons + 2)
                                                 : fmt::format("torch.ops.{}.{}.{}", name.substr(0, colons),
                                                               name.substr(colons + 2), overload);
  return node.results.empty() ? call : fmt::format("{} = {}", graph.value(node.results[0]).name, call);
}

}  // namespace

base::Diagnostic FailingNode::Describe(const check::Failure& failure) const {
  base::Place place{file_};
  if (!node_) return {place, fmt::format("the graph fails in eager mode, {}", failure.ToString())};
  const size_t index = graph::Index(*node_);
  if (index < node_lines_.size()) place.line = node_lines_[index];
  return {place, fmt::format("the graph fails in eager mode at '{}': {}", Name(graph_, graph_.node(*node_)),
                             failure.message)};
}

}  // namespace culprit::cli
