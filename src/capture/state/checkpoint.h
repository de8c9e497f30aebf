// SPDX-License-Identifier: Apache-2.0
//
// What of a program's effects has happened when an operator fails in the middle of its graph. The walk writes
// into copies, and the program's own lists, dicts and objects are written when the graph has run; if it does
// not get so far, those writes have happened that stand before the operator:
//
//   xs.append(x)
//   y = torch.index_select(x, 0, i)     a checkpoint: x is in xs. i may be out of range
//   self.last = y
//
// Only operators that can fail because of numbers have checkpoints (fails_on_numbers.h): what fails otherwise
// has failed in the walk.
#pragma once

#include <vector>

#include "capture/state/writes.h"
#include "graph/run/interruption.h"

namespace culprit::capture {

struct Checkpoint {
  /// It holds for this node and those up to the next checkpoint.
  graph::NodeId node;
  /// The objects of the `with` blocks that are open.
  std::vector<Recipe> entered;
  Writes writes;
};

/// Writes what stands before the node that threw. Of the state, the open blocks become those of then.
void ApplyUpTo(const graph::Interruption& interruption, const std::vector<Checkpoint>& checkpoints,
               const std::vector<const c10::IValue*>& found, const std::vector<int64_t>& symbols,
               vm::State& state);

}  // namespace culprit::capture
