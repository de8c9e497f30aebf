// SPDX-License-Identifier: Apache-2.0
//
// Rebuilding: how passes make a new graph from an old one, keeping names.
#pragma once

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// Copies parts of `source` into a new graph and remembers which new argument stands for which old value.
class Rebuild {
 public:
  explicit Rebuild(const Graph& source) : source_(source), replacement_(source.values().size()) {
    graph_.set_name(source.name());
  }

  void CopyPlaceholders();
  /// With its symbols.
  ValueId CopyPlaceholder(const Placeholder& placeholder);
  void CopyConstant(const TensorConstant& constant);
  void CopyConstants();
  void CopyNode(const Node& node);
  /// The same with other arguments, which are the new graph's.
  void CopyNode(const Node& node, std::vector<Argument> arguments);
  void CopyOutputs();

  /// From now on `argument` (of the new graph) stands for the old value.
  void Replace(ValueId old_value, Argument argument) { replacement_[Index(old_value)] = std::move(argument); }
  /// The argument of the old graph in terms of the new one.
  Argument Map(const Argument& argument) const;

  Graph& graph() { return graph_; }
  Graph Take() && { return std::move(graph_); }

 private:
  const Graph& source_;
  std::vector<Argument> replacement_;
  Graph graph_;
};

}  // namespace culprit::graph
