// SPDX-License-Identifier: Apache-2.0
#include "faults/spoil.h"

#include <algorithm>

#include "faults/guilty_values.h"
#include "faults/wrong_loops.h"

namespace culprit::faults {
namespace {

using compiler::loops::LoopProgram;
using compiler::loops::ValueIndex;
using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;
using compiler::schedule::Group;
using compiler::schedule::Member;

/// Those with a loop of their own; a view only counts in another way.
std::vector<ValueIndex> LoweredGuiltyValues(const Compilation& compilation, const Where& where) {
  std::vector<ValueIndex> values = GuiltyValues(compilation, where);
  std::erase_if(values, [&](ValueIndex value) {
    return !(*compilation.program)[value].loop || (*compilation.program)[value].is_view;
  });
  return values;
}

/// `source` is asked with the numbers of values or buffers.
bool Loads(const compiler::loops::Body& body, const std::function<bool(uint32_t)>& source) {
  return std::ranges::any_of(body.expressions(), [&](const compiler::loops::Expression& expression) {
    return expression.op == compiler::loops::Op::kLoad && source(static_cast<uint32_t>(expression.integer));
  });
}

}  // namespace

void MakeLoopsWrong(Compilation& compilation, const Where& where, const Applies& applies) {
  LoopProgram wrong = *compilation.program;
  for (const ValueIndex value : LoweredGuiltyValues(compilation, where)) {
    if (!applies()) continue;
    auto& loop = wrong.values[Index(value)].loop;
    loop = std::make_shared<compiler::loops::Loop>(WithWrongResult(*loop));
  }
  compilation.program = std::make_shared<LoopProgram>(std::move(wrong));
}

void CrashAtLoops(Compilation& compilation, const Where& where, const Applies& applies) {
  if (LoweredGuiltyValues(compilation, where).empty() || !applies()) return;
  int* volatile address = nullptr;
  *address = 1;
}

void ReadTooEarly(Compilation& compilation, const Where& where, const Applies& applies) {
  const std::vector<bool> guilty = ArePartsOfGuiltyValues(compilation, where);
  for (const Group& group : compilation.grouping->groups) {
    const auto is_stale = [&](ValueIndex source) {
      return guilty[Index(source)] && group.Find(source) != nullptr;
    };
    const auto is_stale_number = [&](uint32_t source) { return is_stale(ValueIndex{source}); };
    for (const Member& member : group.members) {
      auto& loop = compilation.resolved->loops[Index(member.value)];
      if (Loads(loop->body, is_stale_number) && applies()) loop = WithStaleLoads(*loop, is_stale);
    }
  }
}

void ShiftLoads(Compilation& compilation, const Where& where, const Applies& applies) {
  for (const size_t index : GuiltyKernels(compilation, where)) {
    compiler::loops::Kernel& kernel = compilation.schedule->kernels[index];
    const auto is_of_others = [&](uint32_t buffer) { return !kernel.buffers[buffer].is_written; };
    if (!Loads(kernel.body, is_of_others) || !applies()) continue;
    kernel = WithShiftedLoads(kernel);
    Verify(kernel);
  }
}

void MakeCodeWrong(Compilation& compilation, const Where& where, const Applies& applies) {
  for (const size_t index : GuiltyKernels(compilation, where)) {
    if (!compilation.code[index] || !applies()) continue;
    const compiler::loops::Kernel wrong = WithWrongLastIteration(compilation.schedule->kernels[index]);
    Verify(wrong);
    compilation.code[index] =
        compiler::jit::Load({&wrong, 1}, compilation.options.code, compilation.options.cache).front();
  }
}

}  // namespace culprit::faults
