// SPDX-License-Identifier: Apache-2.0
//
// Calls that are better expressed by others, in one table of rows:
//
//   split              parts of a list that are only picked one by one become slices
//   batch_norm         what is written into copies of running statistics becomes results
//
// Values that stand for those of the graph keep their names.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "graph/graph.h"

namespace culprit::compiler::passes {

struct DecomposeRow {
  std::string_view name;
  std::string_view line;
};

/// In the order in which they are tried.
std::span<const DecomposeRow> DecomposeRows();

/// `applies` is asked for each rewrite with the name of its row.
graph::Graph Decompose(const graph::Graph& graph, const std::function<bool(std::string_view row)>& applies);

}  // namespace culprit::compiler::passes
