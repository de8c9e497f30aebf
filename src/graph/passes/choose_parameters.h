// SPDX-License-Identifier: Apache-2.0
//
// Which placeholders count as parameters and buffers, for backends that freeze them
// (graph/passes/freeze_placeholders.h). Repro scripts of PyTorch do not say: their weights are inputs like
// all others.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"

namespace culprit::graph {

struct ChosenParameters {
  Graph graph;
  /// The placeholders that are parameters or buffers now.
  std::vector<size_t> chosen;
};

/// `choice` is one of
///   auto      those that the graph names as such; if it names none, those that stand where operators take
///             weights, biases and running statistics, and never where they take what these are for
///   none      none, whatever the graph says
///   a,b,...   just these; a name that no placeholder has is an error that knows the nearest
base::Result<ChosenParameters> ChooseParameters(Graph graph, std::string_view choice);

}  // namespace culprit::graph
