// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/input_range.h"

#include <algorithm>

namespace culprit::graph::inputs {

bool Narrow(std::optional<InputRange>& known, const std::optional<InputRange>& also) {
  if (!also || (known && also->kind < known->kind)) return false;
  const std::optional<InputRange> before = known;
  if (known && also->kind == known->kind) {
    known->bound = std::min(known->bound, also->bound);
    if (known->every == 0) known->every = also->every;
  } else {
    known = also;
  }
  return known != before;
}

}  // namespace culprit::graph::inputs
