// SPDX-License-Identifier: Apache-2.0
#include "faults/site.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "base/internal_error.h"
#include "graph/analysis/memory_sets.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/generator_scope.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::faults {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::NodeId;
using graph::ValueId;

/// Values that depend on guilty nodes: their results, what is computed from those, and memory that either is
/// written to.
class Dependents {
 public:
  Dependents(const Graph& graph, const std::vector<NodeId>& guilty)
      : sets_(graph), value_(graph.values().size()), memory_(graph.values().size()) {
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      const Node& node = graph.nodes()[i];
      if (std::ranges::count(guilty, static_cast<NodeId>(i)) > 0 || TakesDependent(node)) Mark(node);
    }
  }

  bool Contains(const Argument& argument) {
    bool found = false;
    graph::ForEachValue(argument,
                        [&](ValueId id) { found = found || value_[Index(id)] || memory_[sets_.SetOf(id)]; });
    return found;
  }

 private:
  bool TakesDependent(const Node& node) {
    return std::ranges::any_of(node.arguments, [&](const Argument& argument) { return Contains(argument); });
  }

  void Mark(const Node& node) {
    for (const ValueId result : node.results) value_[Index(result)] = true;
    for (size_t a = 0; a < node.arguments.size(); ++a) {
      if (!node.op->writes(a)) continue;
      graph::ForEachValue(node.arguments[a], [&](ValueId id) { memory_[sets_.SetOf(id)] = true; });
    }
  }

  graph::MemorySets sets_;
  std::vector<bool> value_;
  // Indexed by set.
  std::vector<bool> memory_;
};

std::optional<size_t> FirstTensorInputOf(const Graph& graph, const std::vector<NodeId>& guilty) {
  std::vector<bool> needed(graph.values().size());
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    const Node& node = graph.nodes()[i];
    const bool is_needed = std::ranges::count(guilty, static_cast<NodeId>(i)) > 0 ||
                           std::ranges::any_of(node.results, [&](ValueId id) { return needed[Index(id)]; });
    if (!is_needed) continue;
    for (const Argument& argument : node.arguments)
      graph::ForEachValue(argument, [&](ValueId id) { needed[Index(id)] = true; });
  }
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    const ValueId id = graph.placeholders()[i].value;
    if (needed[Index(id)] && graph.value(id).kind == graph::ValueKind::kTensor) return i;
  }
  return std::nullopt;
}

class SizeObserver : public graph::Observer {
 public:
  explicit SizeObserver(const std::vector<NodeId>& nodes) : nodes_(nodes) {}

  void Before(NodeId node, const torch::jit::Stack& arguments) override { Look(node, arguments); }
  void After(NodeId node, const torch::jit::Stack& results) override { Look(node, results); }
  int64_t largest() const { return largest_; }

 private:
  void Look(NodeId node, const torch::jit::Stack& values) {
    if (std::ranges::count(nodes_, node) == 0) return;
    for (const c10::IValue& value : values) {
      graph::MapTensors(value, [&](const at::Tensor& tensor) {
        if (tensor.defined()) largest_ = std::max(largest_, tensor.numel());
        return tensor;
      });
    }
  }

  const std::vector<NodeId>& nodes_;
  int64_t largest_ = 0;
};

}  // namespace

Site MakeSite(Graph graph, std::vector<NodeId> guilty) {
  CULPRIT_CHECK(!guilty.empty(), "a fault without a guilty node");
  Site site;
  site.operator_name = graph.node(guilty.front()).op->name();
  Dependents dependents(graph, guilty);
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    if (dependents.Contains(graph.outputs()[i])) site.outputs.push_back(i);
  }
  site.input = FirstTensorInputOf(graph, guilty);
  site.nodes = std::move(guilty);
  site.graph = std::move(graph);
  return site;
}

int64_t LargestTensorAt(const Site& site, const std::vector<c10::IValue>& inputs) {
  const graph::GeneratorScope generator;
  const at::NoGradGuard no_grad;
  SizeObserver observer(site.nodes);
  graph::Interpreter(site.graph).Run(graph::CopyAll(inputs), &observer);
  return observer.largest();
}

}  // namespace culprit::faults
