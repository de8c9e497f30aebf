// SPDX-License-Identifier: Apache-2.0
//
// What a guilty node can reach in its graph. Faults in numbers act on the outputs that depend on it and on no
// others, so that an output more, anywhere in the graph, shows exactly where the numbers part:
//
//   sin = sin(x); tanh = tanh(sin); exp = exp(tanh)     tanh is guilty:
//   return (sin, tanh, exp)                             outputs 1 and 2 are wrong, input 0 can be written to
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::faults {

struct Site {
  /// "aten::tanh", of the first guilty node.
  std::string operator_name;
  std::vector<graph::NodeId> nodes;
  /// Indices of the outputs that depend on a guilty node, through arguments or through memory.
  std::vector<size_t> outputs;
  /// Index of the first placeholder for a tensor that a guilty node depends on.
  std::optional<size_t> input;
  /// The whole graph, for faults that have to know what a node computes.
  graph::Graph graph;
};

/// There must be at least one guilty node.
Site MakeSite(graph::Graph graph, std::vector<graph::NodeId> guilty);

/// How many elements the largest tensor has that a guilty node takes or gives, when the graph runs on these
/// inputs. Runs it eagerly on copies; the state of the random generator stays as it is.
int64_t LargestTensorAt(const Site& site, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::faults
