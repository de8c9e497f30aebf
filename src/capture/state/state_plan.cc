// SPDX-License-Identifier: Apache-2.0
#include "capture/state/state_plan.h"

namespace culprit::capture {

using c10::IValue;

void Apply(const StatePlan& plan, const std::vector<const IValue*>& found, const std::vector<IValue>& outputs,
           const std::vector<int64_t>& symbols, vm::State& state) {
  Ingredients ingredients{.state = state, .found = found, .outputs = outputs, .symbols = symbols};
  MakeObjects(plan.writes.objects, ingredients);
  vm::State next;
  for (const StatePlan::Frame& frame : plan.frames) {
    next.frames.push_back({frame.code, frame.pc, std::vector<IValue>(frame.code->registers())});
    for (const auto& [index, recipe] : frame.registers)
      next.frames.back().registers[index] = Follow(recipe, ingredients);
  }
  next.stack = FollowAll(plan.stack, ingredients);
  next.entered = FollowAll(plan.entered, ingredients);
  Apply(plan.writes, ingredients);
  state = std::move(next);
}

}  // namespace culprit::capture
