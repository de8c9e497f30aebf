// SPDX-License-Identifier: Apache-2.0
#include "capture/state/checkpoint.h"

#include <algorithm>

namespace culprit::capture {

void ApplyUpTo(const graph::Interruption& interruption, const std::vector<Checkpoint>& checkpoints,
               const std::vector<const c10::IValue*>& found, const std::vector<int64_t>& symbols,
               vm::State& state) {
  const auto behind = std::ranges::upper_bound(checkpoints, interruption.node, {}, &Checkpoint::node);
  if (behind == checkpoints.begin()) return;
  const Checkpoint& checkpoint = *std::prev(behind);
  Ingredients ingredients{
      .state = state, .found = found, .outputs = interruption.outputs, .symbols = symbols};
  MakeObjects(checkpoint.writes.objects, ingredients);
  std::vector<c10::IValue> entered = FollowAll(checkpoint.entered, ingredients);
  Apply(checkpoint.writes, ingredients);
  state.entered = std::move(entered);
}

}  // namespace culprit::capture
