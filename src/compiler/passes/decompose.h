// SPDX-License-Identifier: Apache-2.0
//
// Calls that are better expressed by others, in one table of rows:
//
//   split              parts of a list that are only picked one by one become slices
//   batch_norm         what is written into copies of running statistics becomes results
//   frozen_batch_norm  batch norm with constants behind a convolution becomes part of its weights
//                      (it rounds otherwise)
//
// Values that stand for those of the graph keep their names.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "graph/ir/graph.h"

namespace culprit::compiler::passes {

struct DecomposeRow {
  std::string_view name;
  std::string_view line;
  /// Results are not those of libtorch to the last bit.
  bool rounds_otherwise = false;
};

/// In the order in which they are tried.
std::span<const DecomposeRow> DecomposeRows();

/// `applies` is asked for each rewrite with its row.
graph::Graph Decompose(const graph::Graph& graph,
                       const std::function<bool(const DecomposeRow& row)>& applies);

}  // namespace culprit::compiler::passes
