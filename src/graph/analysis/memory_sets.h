// SPDX-License-Identifier: Apache-2.0
//
// Values that may share memory, as disjoint sets, decided from the operators' schemas and the storages of
// constants alone (without running anything, and therefore too large rather than too small).
#pragma once

#include <cstdint>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

class MemorySets {
 public:
  explicit MemorySets(const Graph& graph);

  /// Below the graph's number of values; equal for values that may share memory.
  uint32_t SetOf(ValueId id);

 private:
  void Unite(ValueId a, ValueId b) { parent_[SetOf(a)] = SetOf(b); }

  std::vector<uint32_t> parent_;
};

/// For each set of `sets`, whether some node writes into its memory.
std::vector<bool> WrittenSets(const Graph& graph, MemorySets& sets);

}  // namespace culprit::graph
