// SPDX-License-Identifier: Apache-2.0
#include "capture/state_plan.h"

namespace culprit::capture {
namespace {

using c10::IValue;

StatePlan::Frame PlanFrame(const vm::Frame& frame, RecipePlanner& planner) {
  StatePlan::Frame plan{frame.code, frame.pc, {}};
  for (size_t i = 0; i < frame.registers.size(); ++i) {
    if (!frame.registers[i].isNone()) plan.registers.emplace_back(i, planner.RecipeOf(frame.registers[i]));
  }
  return plan;
}

}  // namespace

StatePlan PlanState(const vm::State& walk, CaptureEffects& effects) {
  RecipePlanner planner(effects.shadow(), effects.recorder());
  StatePlan plan;
  for (const vm::Frame& frame : walk.frames) plan.frames.push_back(PlanFrame(frame, planner));
  plan.stack = planner.RecipesOf(walk.stack);
  plan.entered = planner.RecipesOf(walk.entered);
  plan.writes = PlanWrites(planner, effects);
  return plan;
}

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
