// SPDX-License-Identifier: Apache-2.0
//
// Says at which operator, and in which line of the file, a graph failed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/model/run_end.h"
#include "graph/run/interpreter.h"

namespace culprit::check {

/// Watches the runs of a graph, of which a failure ends the last.
class FailingNode : public graph::Observer {
 public:
  /// `node_lines` are the lines of the nodes in the file.
  FailingNode(const graph::Graph& graph, std::string file, std::vector<uint32_t> node_lines)
      : graph_(graph), file_(std::move(file)), node_lines_(std::move(node_lines)) {}

  void Before(graph::NodeId node, const torch::jit::Stack& /*arguments*/) override { node_ = node; }
  void After(graph::NodeId /*node*/, const torch::jit::Stack& /*results*/) override { node_.reset(); }

  /// "net.py:4: error: the graph fails in eager mode at 'view = torch.ops.aten.view.default': shape ..."; the
  /// phase instead of an operator if none was running.
  base::Diagnostic Describe(const RunFailure& failure) const;

 private:
  const graph::Graph& graph_;
  std::string file_;
  std::vector<uint32_t> node_lines_;
  std::optional<graph::NodeId> node_;
};

}  // namespace culprit::check
