// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/ir/graph.h"

namespace culprit::graph {

/// Removes nodes whose results nothing needs, and tensor constants that nothing uses.
///   b = sin(a); c = cos(a); return c   =>   c = cos(a); return c
/// Kept although nothing uses their results: operators that draw random numbers (later draws would shift),
/// that write into memory somebody may still look at, and that have no result at all (assertions).
/// Placeholders stay: they are the graph's interface.
Graph EliminateDeadCode(const Graph& graph);

}  // namespace culprit::graph
