// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/run/in_place.h"
#include "faults/guilty_values.h"
#include "faults/spoil.h"

namespace culprit::faults {
namespace {

using compiler::loops::LoopProgram;
using compiler::loops::Value;
using compiler::loops::ValueIndex;
using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;
using compiler::schedule::CallStep;
using compiler::schedule::KernelStep;

/// When values are made, in memory of their own, and when they are needed for the last time, by step.
class Lives {
 public:
  explicit Lives(const Compilation& compilation)
      : made_(compilation.program->values.size()), last_use_(compilation.program->values.size()) {
    const LoopProgram& program = *compilation.program;
    const auto& steps = compilation.schedule->steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto values = compiler::run::ValuesOf(steps[i], program, *compilation.schedule);
      for (const ValueIndex value : values.reads) last_use_[Index(value)] = i;
      if (!MayGiveView(program, steps[i]))
        for (const ValueIndex value : values.makes) made_[Index(value)] = i;
    }
    for (const graph::Argument& output : program.graph->outputs())
      ForEachValue(output, [&](graph::ValueId id) {
        last_use_[Index(program.value_of[graph::Index(id)])] = steps.size();
      });
  }

  bool IsMadeBefore(ValueIndex value, size_t step) const {
    return made_[Index(value)] && *made_[Index(value)] < step;
  }
  bool IsMadeAt(ValueIndex value, size_t step) const { return made_[Index(value)] == step; }
  bool IsNeededBehind(ValueIndex value, size_t step) const { return last_use_[Index(value)] > step; }

 private:
  static bool MayGiveView(const LoopProgram& program, const compiler::schedule::Step& step) {
    const auto* call = std::get_if<CallStep>(&step);
    if (call == nullptr) return false;
    const graph::Node& node = program.graph->node(call->node);
    for (size_t result = 0; result < node.results.size(); ++result)
      for (size_t i = 0; i < node.arguments.size(); ++i)
        if (node.op->may_alias(result, i)) return true;
    return false;
  }

  std::vector<std::optional<size_t>> made_;
  std::vector<size_t> last_use_;
};

bool HaveSameLayout(const Value& one, const Value& other) {
  return one.dtype == other.dtype && one.sizes == other.sizes && one.strides == other.strides &&
         !one.is_opaque && !other.is_opaque;
}

/// Who writes: a buffer of the kernel at a step.
struct Writer {
  size_t step_number = 0;
  const KernelStep& step;
  const compiler::loops::Kernel& kernel;
  uint32_t buffer = 0;
};

bool IsStoredAtSamePlaces(const Writer& writer, uint32_t other) {
  std::optional<compiler::loops::ExprId> place;
  for (const compiler::loops::Stage& stage : writer.kernel.stages) {
    for (const compiler::loops::BufferStore& store : stage.stores) {
      if (store.buffer != writer.buffer && store.buffer != other) continue;
      if (place && *place != store.index) return false;
      place = store.index;
    }
  }
  return true;
}

/// Whether it is there when the kernel begins, or the kernel has stored it before; and whether what becomes
/// wrong is always wrong in the same way: each place is read and written in the same iteration.
bool CanBeOverwritten(const Writer& writer, const Lives& lives, ValueIndex victim) {
  const auto found = std::ranges::find(writer.step.buffers, victim);
  const auto buffer = static_cast<uint32_t>(found - writer.step.buffers.begin());
  if (lives.IsMadeAt(victim, writer.step_number))
    return buffer < writer.buffer && IsStoredAtSamePlaces(writer, buffer);
  if (!lives.IsMadeBefore(victim, writer.step_number)) return false;
  return found == writer.step.buffers.end() ||
         compiler::run::MayShareMemory(writer.kernel, buffer, writer.buffer);
}

std::optional<ValueIndex> FindVictim(const Compilation& compilation, const Lives& lives,
                                     const Writer& writer) {
  const LoopProgram& program = *compilation.program;
  for (uint32_t i = 0; i < program.values.size(); ++i) {
    const ValueIndex victim{i};
    if (!lives.IsNeededBehind(victim, writer.step_number)) continue;
    if (!HaveSameLayout(program[victim], program[writer.step.buffers[writer.buffer]])) continue;
    const auto has_it = [&](ValueIndex other) {
      return compilation.memory->in_place[Index(other)] == victim;
    };
    if (std::ranges::any_of(writer.step.buffers, has_it)) continue;
    if (CanBeOverwritten(writer, lives, victim)) return victim;
  }
  return std::nullopt;
}

}  // namespace

void TakeMemoryInUse(Compilation& compilation, const Where& where, const Applies& applies) {
  const Lives lives(compilation);
  const std::vector<ValueIndex> guilty = GuiltyValues(compilation, where);
  for (size_t i = 0; i < compilation.schedule->steps.size(); ++i) {
    const auto* step = std::get_if<KernelStep>(&compilation.schedule->steps[i]);
    if (step == nullptr) continue;
    const compiler::loops::Kernel& kernel = compilation.schedule->kernels[step->kernel];
    for (uint32_t buffer = 0; buffer < step->buffers.size(); ++buffer) {
      if (!kernel.buffers[buffer].is_written) continue;
      if (std::ranges::find(guilty, step->buffers[buffer]) == guilty.end()) continue;
      const std::optional<ValueIndex> victim = FindVictim(compilation, lives, {i, *step, kernel, buffer});
      if (victim && applies()) compilation.memory->in_place[Index(step->buffers[buffer])] = victim;
    }
  }
}

}  // namespace culprit::faults
