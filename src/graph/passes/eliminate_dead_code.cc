// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/eliminate_dead_code.h"

#include <algorithm>

#include "graph/analysis/memory_sets.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::graph {
namespace {

class Liveness {
 public:
  explicit Liveness(const Graph& graph)
      : sets_(graph), value_live_(graph.values().size()), memory_live_(graph.values().size()) {
    for (const Placeholder& placeholder : graph.placeholders())
      memory_live_[sets_.SetOf(placeholder.value)] = true;
    for (const TensorConstant& constant : graph.constants()) memory_live_[sets_.SetOf(constant.value)] = true;
    for (const Argument& output : graph.outputs()) Use(output);
    node_live_.resize(graph.nodes().size());
    for (size_t i = graph.nodes().size(); i-- > 0;) {
      node_live_[i] = IsNeeded(graph.nodes()[i]);
      if (!node_live_[i]) continue;
      for (const Argument& argument : graph.nodes()[i].arguments) Use(argument);
    }
  }

  bool node_live(size_t index) const { return node_live_[index]; }
  bool value_live(ValueId id) const { return value_live_[Index(id)]; }

 private:
  void Use(const Argument& argument) {
    ForEachValue(argument, [&](ValueId id) {
      value_live_[Index(id)] = true;
      memory_live_[sets_.SetOf(id)] = true;
    });
  }

  bool IsNeeded(const Node& node) {
    if (node.results.empty() || node.op->is_random()) return true;
    const auto live = [&](ValueId id) { return value_live(id); };
    return std::any_of(node.results.begin(), node.results.end(), live) || WritesLiveMemory(node);
  }

  bool WritesLiveMemory(const Node& node) {
    bool needed = false;
    for (size_t a = 0; a < node.arguments.size(); ++a) {
      if (!WritesInto(node, a)) continue;
      ForEachValue(node.arguments[a], [&](ValueId id) { needed = needed || memory_live_[sets_.SetOf(id)]; });
    }
    return needed;
  }

  MemorySets sets_;
  std::vector<bool> value_live_;
  // Indexed by set: a node behind the current one, or somebody outside, looks at this memory.
  std::vector<bool> memory_live_;
  std::vector<bool> node_live_;
};

}  // namespace

Graph EliminateDeadCode(const Graph& graph) {
  VerifyPass(graph, "before", "EliminateDeadCode");
  const Liveness liveness(graph);
  Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  for (const TensorConstant& constant : graph.constants()) {
    if (liveness.value_live(constant.value)) rebuild.CopyConstant(constant);
  }
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    if (liveness.node_live(i)) rebuild.CopyNode(graph.nodes()[i]);
  }
  rebuild.CopyOutputs();
  Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "EliminateDeadCode");
  return result;
}

}  // namespace culprit::graph
