// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/ir/graph.h"

namespace culprit::graph {

/// The same graph with tensor constants of its own, for somebody who may write into them. Constants that
/// shared memory share it again.
Graph WithOwnConstants(const Graph& graph);

}  // namespace culprit::graph
