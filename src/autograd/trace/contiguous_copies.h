// SPDX-License-Identifier: Apache-2.0
//
// x.contiguous() is a copy or x itself, depending on how x lies: x[:, :n].contiguous() is a copy unless x has
// n columns. Where nobody could tell the difference it may be a copy always, so that a graph is the same for
// all sizes.
#pragma once

#include <set>

#include "graph/ir/graph.h"

namespace culprit::autograd {

/// Calls of contiguous that may be copies always: the memory of their tensor is neither written nor returned.
std::set<graph::NodeId> PossibleCopies(const graph::Graph& graph);

/// The graph in which these are copies always. Its nodes have the same ids.
graph::Graph WithCopies(const graph::Graph& graph, const std::set<graph::NodeId>& copies);

}  // namespace culprit::autograd
