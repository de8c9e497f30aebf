// SPDX-License-Identifier: Apache-2.0
//
// How far a run of a graph has come when an exception ended it.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

struct Interruption {
  /// The one that threw.
  NodeId node;
  /// One per output of the graph; None for those that were not computed yet.
  std::vector<c10::IValue> outputs;
};

}  // namespace culprit::graph
