// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/backward_order.h"

#include <algorithm>

#include "autograd/partition/saved_values.h"

namespace culprit::autograd {
namespace {

using graph::Argument;
using graph::ValueId;

constexpr size_t kUnused = SIZE_MAX;

/// For every value of forward that is not saved the first node of backward that needs it, directly or to
/// recompute something else.
class FirstUses {
 public:
  FirstUses(const Joint& joint, const std::vector<bool>& saved)
      : joint_(joint), saved_(saved), first_(joint.graph.values().size(), kUnused) {
    const size_t end = joint.graph.nodes().size();
    for (size_t i = joint.forward_nodes; i < end; ++i) Use(joint.graph.nodes()[i].arguments, i);
    const auto gradients = joint.graph.outputs().begin() + static_cast<ptrdiff_t>(joint.forward_outputs);
    Use({gradients, joint.graph.outputs().end()}, end);
  }

  void Use(const std::vector<Argument>& arguments, size_t user) {
    const auto use = [&](ValueId id) {
      if (IsForward(joint_, id) && !saved_[Index(id)]) first_[Index(id)] = std::min(first_[Index(id)], user);
    };
    for (const Argument& argument : arguments) ForEachValue(argument, use);
  }

  size_t Of(ValueId id) const { return first_[Index(id)]; }
  size_t Of(const graph::Node& node) const {
    size_t first = kUnused;
    for (const ValueId result : node.results) first = std::min(first, Of(result));
    return first;
  }

 private:
  const Joint& joint_;
  const std::vector<bool>& saved_;
  std::vector<size_t> first_;
};

}  // namespace

std::optional<std::vector<size_t>> OrderBackward(const Joint& joint, const std::vector<Recompute>& recompute,
                                                 const std::vector<bool>& saved) {
  FirstUses uses(joint, saved);
  // With what has to run before: the node of backward, and for equal ones the order in forward.
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t i = joint.forward_nodes; i-- > 0;) {
    const graph::Node& node = joint.graph.nodes()[i];
    const size_t first = uses.Of(node);
    if (first == kUnused) continue;
    if (recompute[i] == Recompute::kNever) return std::nullopt;
    uses.Use(node.arguments, first);
    order.emplace_back(first, i);
  }
  for (const graph::Placeholder& placeholder : joint.graph.placeholders()) {
    if (uses.Of(placeholder.value) != kUnused) return std::nullopt;
  }
  for (size_t i = joint.forward_nodes; i < joint.graph.nodes().size(); ++i) order.emplace_back(i, i);
  std::sort(order.begin(), order.end());

  std::vector<size_t> nodes;
  nodes.reserve(order.size());
  for (const auto& [before, node] : order) nodes.push_back(node);
  return nodes;
}

}  // namespace culprit::autograd
