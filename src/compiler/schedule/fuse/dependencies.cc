// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/dependencies.h"

#include <algorithm>

namespace culprit::compiler::schedule {

using loops::ValueIndex;

namespace {

// Numbers are drawn in the order of the program.
std::optional<graph::NodeId> FormerRandomCall(const graph::Graph& graph, graph::NodeId node) {
  if (!graph.node(node).op->is_random()) return std::nullopt;
  for (uint32_t i = graph::Index(node); i-- > 0;) {
    const graph::Node& former = graph.nodes()[i];
    if (former.op->is_random() && !former.results.empty()) return graph::NodeId{i};
  }
  return std::nullopt;
}

}  // namespace

std::vector<ValueIndex> DirectDependencies(const loops::LoopProgram& program, const Resolved& resolved,
                                           ValueIndex value) {
  std::vector<ValueIndex> found;
  const size_t i = Index(value);
  if (resolved.placements[i] == Placement::kKept) {
    const loops::Body& body = resolved.loops[i]->body;
    for (const loops::Expression& expression : body.expressions())
      if (expression.op == loops::Op::kLoad)
        found.push_back(ValueIndex{static_cast<uint32_t>(expression.integer)});
    for (const loops::Precondition& each : resolved.loops[i]->preconditions)
      found.push_back(program.value_of[graph::Index(each.indices)]);
  } else if (resolved.placements[i] == Placement::kCalled) {
    for (const graph::Argument& argument : program.graph->node(*program.values[i].node).arguments)
      ForEachValue(argument, [&](graph::ValueId id) { found.push_back(program.value_of[graph::Index(id)]); });
    if (const auto former = FormerRandomCall(*program.graph, *program.values[i].node))
      found.push_back(program.value_of[graph::Index(program.graph->node(*former).results[0])]);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool DependOn(const Grouping& grouping, const std::vector<std::vector<ValueIndex>>& dependencies,
              const std::vector<ValueIndex>& values, uint32_t group) {
  std::vector<bool> seen(dependencies.size());
  std::vector<ValueIndex> waiting;
  const auto visit = [&](ValueIndex value) {
    if (seen[Index(value)]) return;
    seen[Index(value)] = true;
    waiting.push_back(value);
  };
  for (const ValueIndex value : values)
    if (grouping.group_of[Index(value)] != group) visit(value);
  while (!waiting.empty()) {
    const ValueIndex value = waiting.back();
    waiting.pop_back();
    const std::optional<uint32_t> its = grouping.group_of[Index(value)];
    if (its == group) return true;
    for (const ValueIndex dependency : dependencies[Index(value)]) visit(dependency);
    if (!its) continue;
    for (const Member& member : grouping.groups[*its].members) visit(member.value);
  }
  return false;
}

}  // namespace culprit::compiler::schedule
