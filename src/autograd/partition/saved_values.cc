// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/saved_values.h"

#include "autograd/partition/max_flow.h"
#include "base/internal_error.h"

namespace culprit::autograd {

using graph::Argument;
using graph::Node;
using graph::Origin;
using graph::ValueId;

namespace {

std::vector<ValueId> Marked(const std::vector<bool>& marks) {
  std::vector<ValueId> ids;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i]) ids.push_back(ValueId(i));
  }
  return ids;
}

/// Each value is two nodes with an edge between them, which costs what it costs to save the value. Flow comes
/// from what only forward can make and ends in what backward needs; on its way it passes through what could
/// be recomputed.
class SavingNetwork {
 public:
  SavingNetwork(const Joint& joint, const std::vector<Recompute>& recompute)
      : joint_(joint), recompute_(recompute), source_(network_.AddNode()), sink_(network_.AddNode()) {
    for (size_t i = 0; i < joint.graph.values().size(); ++i) {
      before_.push_back(network_.AddNode());
      network_.AddNode();
      if (IsForward(joint, ValueId(i))) AddValue(ValueId(i));
    }
    for (const ValueId id : NeededByBackward(joint))
      network_.AddEdge(After(id), sink_, FlowNetwork::kInfinite);
  }

  std::vector<ValueId> Cut() && {
    const int64_t bytes = network_.Maximize(source_, sink_);
    CULPRIT_CHECK(bytes < FlowNetwork::kInfinite, "backward needs what can be neither saved nor recomputed");
    const std::vector<bool> behind = network_.BehindCut(sink_);
    std::vector<bool> saved;
    for (const size_t before : before_) saved.push_back(!behind[before] && behind[before + 1]);
    return Marked(saved);
  }

 private:
  size_t Before(ValueId id) const { return before_[Index(id)]; }
  size_t After(ValueId id) const { return before_[Index(id)] + 1; }

  void AddValue(ValueId id) {
    const graph::Value& value = joint_.graph.value(id);
    network_.AddEdge(Before(id), After(id), CostOf(id));
    if (value.origin == Origin::kPlaceholder || recompute_[value.origin_index] == Recompute::kNever) {
      network_.AddEdge(source_, Before(id), FlowNetwork::kInfinite);
      return;
    }
    for (const Argument& argument : joint_.graph.nodes()[value.origin_index].arguments) {
      ForEachValue(argument, [&](ValueId operand) {
        if (IsForward(joint_, operand)) network_.AddEdge(After(operand), Before(id), FlowNetwork::kInfinite);
      });
    }
  }

  int64_t CostOf(ValueId id) const {
    const graph::Value& value = joint_.graph.value(id);
    if (value.origin == Origin::kPlaceholder) {
      const bool held =
          joint_.graph.placeholders()[value.origin_index].kind != graph::PlaceholderKind::kInput;
      return held ? 0 : joint_.bytes[Index(id)];
    }
    const bool is_view = recompute_[value.origin_index] == Recompute::kFree;
    return is_view ? FlowNetwork::kInfinite : joint_.bytes[Index(id)];
  }

  const Joint& joint_;
  const std::vector<Recompute>& recompute_;
  FlowNetwork network_;
  size_t source_;
  size_t sink_;
  std::vector<size_t> before_;
};

}  // namespace

bool IsForward(const Joint& joint, ValueId id) {
  const graph::Value& value = joint.graph.value(id);
  if (value.origin == Origin::kPlaceholder)
    return value.origin_index < joint.graph.placeholders().size() - joint.tangents;
  return value.origin == Origin::kNode && value.origin_index < joint.forward_nodes;
}

std::vector<ValueId> NeededByBackward(const Joint& joint) {
  std::vector<bool> needed(joint.graph.values().size(), false);
  const auto need = [&](ValueId id) { needed[Index(id)] = IsForward(joint, id); };
  for (size_t i = joint.forward_nodes; i < joint.graph.nodes().size(); ++i) {
    for (const Argument& argument : joint.graph.nodes()[i].arguments) ForEachValue(argument, need);
  }
  for (size_t i = joint.forward_outputs; i < joint.graph.outputs().size(); ++i)
    ForEachValue(joint.graph.outputs()[i], need);
  return Marked(needed);
}

std::vector<ValueId> SaveAsAutogradDoes(const Joint& joint, const std::vector<Recompute>& recompute) {
  std::vector<bool> saved(joint.graph.values().size(), false);
  for (const ValueId id : NeededByBackward(joint)) saved[Index(id)] = true;
  for (size_t i = joint.forward_nodes; i-- > 0;) {
    const Node& node = joint.graph.nodes()[i];
    if (recompute[i] != Recompute::kFree || !saved[Index(node.results[0])]) continue;
    saved[Index(node.results[0])] = false;
    const auto save = [&](ValueId id) { saved[Index(id)] = saved[Index(id)] || IsForward(joint, id); };
    for (const Argument& argument : node.arguments) ForEachValue(argument, save);
  }
  return Marked(saved);
}

std::vector<ValueId> SaveByMinCut(const Joint& joint, const std::vector<Recompute>& recompute) {
  return SavingNetwork(joint, recompute).Cut();
}

}  // namespace culprit::autograd
