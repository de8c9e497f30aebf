// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/failing_node.h"

#include <fmt/format.h>

#include "check/verdict/sign.h"

namespace culprit::check {
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

base::Diagnostic FailingNode::Describe(const RunFailure& failure) const {
  base::Diagnostic error{{file_}, fmt::format("the graph fails in eager mode, {}", failure.ToString())};
  error.cause = CauseOfReference(failure.message);
  if (!node_) return error;
  const size_t index = graph::Index(*node_);
  if (index < node_lines_.size()) error.place.line = node_lines_[index];
  error.message = fmt::format("the graph fails in eager mode at '{}': {}", Name(graph_, graph_.node(*node_)),
                              failure.message);
  return error;
}

}  // namespace culprit::check
