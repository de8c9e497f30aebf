// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

/// What the rows of the table (raise_table.h) may know about a graph beside the node.
class RaiseContext {
 public:
  explicit RaiseContext(const graph::Graph& graph);

  bool IsUsed(graph::ValueId id) const { return used_[Index(id)]; }
  /// The weight that this argument is the transposed of; nothing if it is not, or if anybody writes into it.
  std::optional<graph::ValueId> TransposedWeight(const graph::Argument& argument) const;
  /// How many dimensions the tensor has; nothing if only a run would tell.
  std::optional<int64_t> RankOf(const graph::Argument& argument) const;

 private:
  const graph::Graph& graph_;
  std::vector<bool> used_;
  /// By value.
  std::vector<bool> written_;
};

}  // namespace culprit::backends::torchscript
