// SPDX-License-Identifier: Apache-2.0
#include "faults/guilty_values.h"

#include <algorithm>

namespace culprit::faults {
namespace {

using compiler::loops::ValueIndex;
using compiler::pipeline::Compilation;
using compiler::schedule::Placement;

/// By value: whether it is guilty, or a guilty one is a part of its loop. Loops load what stands before them.
std::vector<bool> HaveGuiltyInside(const Compilation& compilation, const Where& where) {
  std::vector<bool> guilty(compilation.program->values.size());
  for (const ValueIndex value : GuiltyValues(compilation, where)) guilty[Index(value)] = true;
  for (size_t i = 0; i < guilty.size(); ++i) {
    const auto& loop = compilation.program->values[i].loop;
    if (!loop) continue;
    for (const compiler::loops::Expression& expression : loop->body.expressions()) {
      const auto source = static_cast<size_t>(expression.integer);
      if (expression.op != compiler::loops::Op::kLoad || !guilty[source]) continue;
      if (compilation.resolved->placements[source] == Placement::kInlined) guilty[i] = true;
    }
  }
  return guilty;
}

}  // namespace

std::vector<ValueIndex> GuiltyValues(const Compilation& compilation, const Where& where) {
  const compiler::loops::LoopProgram& program = *compilation.program;
  std::vector<ValueIndex> values;
  for (const graph::NodeId node : where.GuiltyNodes(*program.graph))
    for (const graph::ValueId result : program.graph->node(node).results)
      values.push_back(program.value_of[graph::Index(result)]);
  return values;
}

std::vector<bool> ArePartsOfGuiltyValues(const Compilation& compilation, const Where& where) {
  const compiler::loops::LoopProgram& program = *compilation.program;
  std::vector<bool> are_parts(program.values.size());
  for (const ValueIndex value : GuiltyValues(compilation, where)) {
    const std::string& name = program[value].name;
    for (size_t i = 0; i < program.values.size(); ++i) {
      const std::string& other = program.values[i].name;
      if (other == name || other.starts_with(name + ".")) are_parts[i] = true;
    }
  }
  return are_parts;
}

std::vector<size_t> GuiltyKernels(const Compilation& compilation, const Where& where) {
  const std::vector<bool> guilty = HaveGuiltyInside(compilation, where);
  std::vector<size_t> kernels;
  for (const compiler::schedule::Step& step : compilation.schedule->steps) {
    const auto* kernel = std::get_if<compiler::schedule::KernelStep>(&step);
    if (kernel == nullptr) continue;
    if (std::ranges::any_of(kernel->computes, [&](ValueIndex value) { return guilty[Index(value)]; }))
      kernels.push_back(kernel->kernel);
  }
  return kernels;
}

}  // namespace culprit::faults
