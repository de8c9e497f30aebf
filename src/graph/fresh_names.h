// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_set>

#include "graph/graph.h"

namespace culprit::graph {

/// Names for the values that a pass adds: "relu_1" next to the graph's own "relu", unless the graph has that
/// too.
class FreshNames {
 public:
  explicit FreshNames(const Graph& graph);

  /// A name like this one that no value of the graph has and that was not given out before.
  std::string Derive(const std::string& name);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace culprit::graph
