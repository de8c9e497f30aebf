// SPDX-License-Identifier: Apache-2.0
//
// The plan of the state behind a graph (state_plan.h), made from what a walk has come to.
#pragma once

#include "capture/state/state_plan.h"
#include "capture/walk/recipe_planner.h"

namespace culprit::capture {

class CaptureEffects;

/// The writes up to now. Takes the planner's objects, so that it comes last.
Writes PlanWrites(RecipePlanner& planner, const CaptureEffects& effects);

/// For the state that a walk has come to. Tensors that it needs become outputs of the graph.
StatePlan PlanState(const vm::State& walk, CaptureEffects& effects);

}  // namespace culprit::capture
