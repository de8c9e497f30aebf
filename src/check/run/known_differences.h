// SPDX-License-Identifier: Apache-2.0
//
// Differences that a compiler's own project has decided to be none of its bugs, although eager and float64
// agree against it. A row of the table says what eager would have to compute instead; whether this explains
// all that differs is found out by comparing with that.
//
//   pow(x, -0.5)   =>   pow(x + 0.0, -0.5)      of -0.0 eager makes -inf, and Inductor inf
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::check {

struct KnownDifferences {
  /// As upstream holds it to be right.
  graph::Graph graph;
  /// One for each row that was used, with what is known about it.
  std::vector<std::string> lines;
};

/// Nothing if no row is about this compiler and graph.
std::optional<KnownDifferences> FindKnownDifferences(std::string_view backend, const graph::Graph& graph);

}  // namespace culprit::check
