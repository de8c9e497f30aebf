// SPDX-License-Identifier: Apache-2.0
#include "minify/change_inputs.h"

#include <unordered_set>

#include "graph/eliminate_dead_code.h"
#include "graph/rebuild.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using graph::ValueId;

std::unordered_set<uint32_t> UsedValues(const graph::Graph& graph) {
  std::unordered_set<uint32_t> used;
  const auto add = [&](const Argument& argument) {
    ForEachValue(argument, [&](ValueId id) { used.insert(Index(id)); });
  };
  for (const graph::Node& node : graph.nodes()) {
    for (const Argument& argument : node.arguments) add(argument);
  }
  for (const Argument& output : graph.outputs()) add(output);
  return used;
}

}  // namespace

base::Result<Program> ChangeInputs(const Program& program, const InputPlan& plan) {
  if (!plan.changes) return base::Diagnostic{{}, "nothing would change"};
  const graph::Graph& graph = program.graph;
  graph::Rebuild rebuild(graph);
  Program changed;
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    const graph::Placeholder& placeholder = graph.placeholders()[i];
    const graph::Value& value = graph.value(placeholder.value);
    switch (plan.fates[i]) {
      case InputFate::kStays:
        rebuild.Replace(placeholder.value,
                        rebuild.graph().AddPlaceholder(value.name, placeholder.kind, value.kind));
        changed.inputs.push_back(program.inputs[i]);
        break;
      case InputFate::kMerged:
        rebuild.Replace(placeholder.value, rebuild.Map(graph.placeholders()[plan.merged_with[i]].value));
        break;
      case InputFate::kInlined:
        rebuild.Replace(placeholder.value, Argument(program.inputs[i]));
        break;
      case InputFate::kGoes:
        break;
    }
  }
  rebuild.CopyConstants();
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  changed.graph = std::move(rebuild).Take();
  return changed;
}

base::Result<Program> DropUnusedInputs(const Program& program) {
  const std::unordered_set<uint32_t> used = UsedValues(program.graph);
  InputPlan plan(program.inputs.size());
  for (size_t i = 0; i < plan.fates.size(); ++i) {
    if (!used.contains(Index(program.graph.placeholders()[i].value))) plan.Set(i, InputFate::kGoes);
  }
  return ChangeInputs(program, plan);
}

Program WithoutUnused(Program program) {
  program.graph = graph::EliminateDeadCode(program.graph);
  base::Result<Program> smaller = DropUnusedInputs(program);
  return smaller.ok() ? *std::move(smaller) : std::move(program);
}

}  // namespace culprit::minify
