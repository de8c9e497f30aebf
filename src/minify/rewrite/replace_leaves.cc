// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/replace_leaves.h"

#include "graph/analysis/uses.h"
#include "graph/ir/rebuild.h"
#include "graph/passes/eliminate_dead_code.h"

namespace culprit::minify {

base::Result<Program> ReplaceLeaves(const Program& program, const Replacements& replacements) {
  if (replacements.empty()) return base::Diagnostic{{}, "nothing would change"};
  const graph::Graph& graph = program.graph;
  graph::Rebuild rebuild(graph);
  Program changed;
  const auto replace = [&](graph::ValueId leaf) {
    const auto found = replacements.find(leaf);
    if (found == replacements.end()) return false;
    if (found->second) rebuild.Replace(leaf, rebuild.Map(*found->second));
    return true;
  };
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    const graph::Placeholder& placeholder = graph.placeholders()[i];
    if (replace(placeholder.value)) continue;
    rebuild.CopyPlaceholder(placeholder);
    changed.inputs.push_back(program.inputs[i]);
  }
  for (const graph::TensorConstant& constant : graph.constants()) {
    if (!replace(constant.value)) rebuild.CopyConstant(constant);
  }
  for (const graph::Node& node : graph.nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  changed.graph = std::move(rebuild).Take();
  return changed;
}

base::Result<Program> DropUnusedInputs(const Program& program) {
  const std::vector<bool> used = graph::UsedValues(program.graph);
  Replacements replacements;
  for (const graph::Placeholder& placeholder : program.graph.placeholders()) {
    if (!used[Index(placeholder.value)]) replacements.emplace(placeholder.value, std::nullopt);
  }
  return ReplaceLeaves(program, replacements);
}

Program WithoutUnused(Program program) {
  program.graph = graph::EliminateDeadCode(program.graph);
  base::Result<Program> smaller = DropUnusedInputs(program);
  return smaller.ok() ? *std::move(smaller) : std::move(program);
}

}  // namespace culprit::minify
