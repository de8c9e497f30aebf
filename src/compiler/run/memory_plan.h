// SPDX-License-Identifier: Apache-2.0
//
// When memory is taken and given back while a schedule runs. A value that a kernel computes gets memory at
// its step, or takes over that of a value which dies there (in place); everything is freed behind the last
// step that needs it, so the next value of the same size finds warm memory. Outputs own theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/schedule/schedule.h"

namespace culprit::compiler::run {

struct MemoryPlan {
  /// Of each value: whose memory it takes over.
  std::vector<std::optional<loops::ValueIndex>> in_place;
  /// Of each step: what nobody needs behind it.
  std::vector<std::vector<loops::ValueIndex>> freed_after;
  /// The most that is alive at a time of what the schedule itself makes, views not counted twice.
  int64_t peak_bytes = 0;
};

/// `applies` is asked before each value that could take over memory.
MemoryPlan PlanMemory(const loops::LoopProgram& program, const schedule::Schedule& schedule,
                      const std::function<bool()>& applies);

/// One line per step.
std::string ToText(const MemoryPlan& plan, const loops::LoopProgram& program,
                   const schedule::Schedule& schedule);

/// What a step reads and what it makes.
struct StepValues {
  std::vector<loops::ValueIndex> reads;
  std::vector<loops::ValueIndex> makes;
};
StepValues ValuesOf(const schedule::Step& step, const loops::LoopProgram& program,
                    const schedule::Schedule& schedule);

}  // namespace culprit::compiler::run
