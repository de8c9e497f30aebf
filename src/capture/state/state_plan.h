// SPDX-License-Identifier: Apache-2.0
//
// From the state in front of a graph to the one behind it: where the program is then, what its variables
// hold, and what it has written into lists, dicts and objects that it did not make itself.
#pragma once

#include <utility>
#include <vector>

#include "capture/state/recipe.h"
#include "capture/state/writes.h"
#include "capture/vm/state.h"

namespace culprit::capture {

struct StatePlan {
  struct Frame {
    const vm::Code* code = nullptr;
    size_t pc = 0;
    /// Those that hold something.
    std::vector<std::pair<size_t, Recipe>> registers;
  };
  std::vector<Frame> frames;
  std::vector<Recipe> stack;
  std::vector<Recipe> entered;
  /// Whose objects the other recipes may mention too.
  Writes writes;
};

/// Replaces the state, after the graph has run.
void Apply(const StatePlan& plan, const std::vector<const c10::IValue*>& found,
           const std::vector<c10::IValue>& outputs, const std::vector<int64_t>& symbols, vm::State& state);

}  // namespace culprit::capture
