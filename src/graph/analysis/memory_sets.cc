// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/memory_sets.h"

#include <numeric>
#include <unordered_map>

#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {

MemorySets::MemorySets(const Graph& graph) : parent_(graph.values().size()) {
  std::iota(parent_.begin(), parent_.end(), 0U);
  std::unordered_map<const c10::StorageImpl*, ValueId> first_on;
  for (const TensorConstant& constant : graph.constants()) {
    if (!IsPlain(constant.tensor)) continue;
    const auto* storage = constant.tensor.storage().unsafeGetStorageImpl();
    Unite(constant.value, first_on.try_emplace(storage, constant.value).first->second);
  }
  for (const Node& node : graph.nodes()) {
    for (size_t r = 0; r < node.results.size(); ++r) {
      for (size_t a = 0; a < node.arguments.size(); ++a) {
        if (!node.op->may_alias(r, a)) continue;
        ForEachValue(node.arguments[a], [&](ValueId id) { Unite(id, node.results[r]); });
      }
    }
  }
}

uint32_t MemorySets::SetOf(ValueId id) {
  uint32_t root = Index(id);
  while (parent_[root] != root) root = parent_[root] = parent_[parent_[root]];
  return root;
}

std::vector<bool> WrittenSets(const Graph& graph, MemorySets& sets) {
  std::vector<bool> written(graph.values().size(), false);
  for (const Node& node : graph.nodes()) {
    for (size_t a = 0; a < node.arguments.size(); ++a) {
      if (!WritesInto(node, a)) continue;
      ForEachValue(node.arguments[a], [&](ValueId id) { written[sets.SetOf(id)] = true; });
    }
  }
  return written;
}

}  // namespace culprit::graph
