// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/plan_state.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>

#include <algorithm>

#include "capture/guards/aliasing.h"
#include "capture/walk/capture_effects.h"
#include "graph/ir/argument.h"

namespace culprit::capture {
namespace {

using c10::IValue;

bool IsSameValue(const IValue& a, const IValue& b) {
  if (IdentityOf(a) != nullptr || IdentityOf(b) != nullptr) return IdentityOf(a) == IdentityOf(b);
  return graph::SameConstant(a, b);
}

struct Held {
  std::vector<IValue> keys;
  std::vector<IValue> values;
};

Held HeldBy(const IValue& container) {
  Held held;
  if (container.isList()) {
    held.values = container.toListRef().vec();
    return held;
  }
  for (const auto& entry : container.toGenericDict()) {
    held.keys.push_back(entry.key());
    held.values.push_back(entry.value());
  }
  return held;
}

StatePlan::Frame PlanFrame(const vm::Frame& frame, RecipePlanner& planner) {
  StatePlan::Frame plan{frame.code, frame.pc, {}};
  for (size_t i = 0; i < frame.registers.size(); ++i) {
    if (!frame.registers[i].isNone()) plan.registers.emplace_back(i, planner.RecipeOf(frame.registers[i]));
  }
  return plan;
}

}  // namespace

Writes PlanWrites(RecipePlanner& planner, const CaptureEffects& effects) {
  Writes writes;
  for (const Copied& copied : effects.shadow().copied()) {
    const Held now = HeldBy(copied.shadow);
    if (std::ranges::equal(now.values, copied.values, IsSameValue) &&
        std::ranges::equal(now.keys, copied.keys, IsSameValue))
      continue;
    writes.containers.push_back({copied.source, planner.RecipesOf(now.keys), planner.RecipesOf(now.values)});
  }
  for (const CaptureEffects::Slot& slot : effects.written())
    writes.attributes.push_back(
        {planner.RecipeOf(slot.object), slot.slot, planner.RecipeOf(effects.ValueWritten(slot))});
  writes.objects = planner.TakeObjects();
  return writes;
}

StatePlan PlanState(const vm::State& walk, CaptureEffects& effects) {
  RecipePlanner planner(effects.shadow(), effects.recorder());
  StatePlan plan;
  for (const vm::Frame& frame : walk.frames) plan.frames.push_back(PlanFrame(frame, planner));
  plan.stack = planner.RecipesOf(walk.stack);
  plan.entered = planner.RecipesOf(walk.entered);
  plan.writes = PlanWrites(planner, effects);
  return plan;
}

}  // namespace culprit::capture
