// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// Names for the values that a pass adds: "relu_1" next to the graph's own "relu", unless the graph has that
/// too. Costs nothing until the first one is wanted.
class FreshNames {
 public:
  /// The graph has to stay.
  explicit FreshNames(const Graph& graph) : graph_(graph) {}

  /// This name if no value has it, otherwise one that is derived from it.
  std::string Get(const std::string& name);
  /// A name like this one that no value of the graph has and that was not given out before.
  std::string Derive(const std::string& name);

 private:
  void LookOnce();

  const Graph& graph_;
  std::unordered_set<std::string> taken_;
  /// By name: the last number that was given out.
  std::unordered_map<std::string, size_t> numbers_;
};

}  // namespace culprit::graph
