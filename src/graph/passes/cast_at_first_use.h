// SPDX-License-Identifier: Apache-2.0
//
// Casting inputs inside of a graph, each where it is needed first, instead of all of them before it runs:
// what is cast is there no longer than somebody uses it.
//
//   a = sin(x)                    =>   x_1 = _to_copy(x, dtype=float64)
//   b = mul(a, y)                      a = sin(x_1)
//                                      y_1 = _to_copy(y, dtype=float64)
//                                      b = mul(a, y_1)
#pragma once

#include <c10/core/ScalarType.h>

#include <optional>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// One dtype per placeholder; nothing for those that stay as they are. Nobody may write into the others.
Graph CastAtFirstUse(const Graph& graph, const std::vector<std::optional<c10::ScalarType>>& dtypes);

}  // namespace culprit::graph
