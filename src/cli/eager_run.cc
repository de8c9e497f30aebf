// SPDX-License-Identifier: Apache-2.0
#include "cli/eager_run.h"

#include <fmt/format.h>

#include "graph/interpreter.h"
#include "graph/tensor_copy.h"
#include "graph/torch_error.h"
#include "repro/run_settings.h"

namespace culprit::cli {
namespace {

/// Knows which node is running.
class CurrentNode : public graph::Observer {
 public:
  void Before(graph::NodeId node, const torch::jit::Stack& /*arguments*/) override { node_ = node; }
  void After(graph::NodeId /*node*/, const torch::jit::Stack& /*results*/) override { node_.reset(); }
  const std::optional<graph::NodeId>& node() const { return node_; }

 private:
  std::optional<graph::NodeId> node_;
};

/// "view = torch.ops.aten.view.default", or the name of a builtin.
std::string Describe(const graph::Graph& graph, const graph::Node& node) {
  const std::string& name = node.op->name();
  const size_t colons = name.find("::");
  const std::string overload = node.op->overload().empty() ? "default" : node.op->overload();
  const std::string call = node.op->is_builtin() ? name.substr(colons + 2)
                                                 : fmt::format("torch.ops.{}.{}.{}", name.substr(0, colons),
                                                               name.substr(colons + 2), overload);
  return node.results.empty() ? call : fmt::format("{} = {}", graph.value(node.results[0]).name, call);
}

}  // namespace

base::Result<std::vector<c10::IValue>> RunEagerly(const repro::Repro& repro, const std::string& file,
                                                  const std::vector<uint32_t>& node_lines) {
  const repro::RunScope scope(repro.header.run);
  CurrentNode current;
  try {
    return graph::Interpreter(repro.graph).Run(graph::CopyAll(repro.inputs), &current);
  } catch (const std::exception& error) {
    base::Place place{file};
    std::string where;
    if (const auto node = current.node()) {
      if (graph::Index(*node) < node_lines.size()) place.line = node_lines[graph::Index(*node)];
      where = fmt::format(" at '{}'", Describe(repro.graph, repro.graph.node(*node)));
    }
    return base::Diagnostic{
        place, fmt::format("the graph fails in eager mode{}: {}", where, graph::TorchMessage(error))};
  }
}

}  // namespace culprit::cli
