// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"

namespace culprit::compiler::passes {

/// A graph that is being copied, with other calls in the places of some.
class Rewriter {
 public:
  explicit Rewriter(const graph::Graph& source);

  const graph::Graph& source() const { return source_; }
  /// The nodes that mention a value, in order.
  const std::vector<graph::NodeId>& UsersOf(graph::ValueId id) const { return users_[Index(id)]; }
  bool IsOutput(graph::ValueId id) const { return is_output_[Index(id)]; }
  /// The node that gives it; null for placeholders and constants.
  const graph::Node* ProducerOf(graph::ValueId id) const;
  /// The tensor that it is; null for all but constants.
  const at::Tensor* ConstantOf(const graph::Argument& argument) const;

  graph::Rebuild& rebuild() { return rebuild_; }
  /// Adds a call of arguments of the new graph, all that the operator has; the names of its results are
  /// derived from this one.
  std::vector<graph::ValueId> AddAll(std::string_view op, std::vector<graph::Argument> arguments,
                                     const std::string& like, const graph::Node& origin);
  /// The same, for the first result.
  graph::Argument Add(std::string_view op, std::vector<graph::Argument> arguments, const std::string& like,
                      const graph::Node& origin);
  /// The same; from now on it stands for the old value, and has its name.
  void AddInPlaceOf(graph::ValueId old_value, std::string_view op, std::vector<graph::Argument> arguments,
                    const graph::Node& origin);

 private:
  const graph::Graph& source_;
  graph::Rebuild rebuild_;
  graph::FreshNames names_;
  std::vector<std::vector<graph::NodeId>> users_;
  std::vector<bool> is_output_;
};

/// What stands in the place of a node, and of others before or behind it.
struct Replacement {
  std::vector<graph::NodeId> replaced;
  /// Adds the new calls where the node was.
  std::function<void(Rewriter&)> run;
};

/// Nothing if the row does not fit the node. Only running the rewrite changes anything.
using FindRewrite = std::optional<Replacement> (*)(const Rewriter& rewriter, graph::NodeId node);

std::optional<Replacement> RewriteSplit(const Rewriter& rewriter, graph::NodeId node);
std::optional<Replacement> RewriteBatchNorm(const Rewriter& rewriter, graph::NodeId node);
std::optional<Replacement> RewriteFrozenBatchNorm(const Rewriter& rewriter, graph::NodeId node);

}  // namespace culprit::compiler::passes
