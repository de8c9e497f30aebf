// SPDX-License-Identifier: Apache-2.0
//
// Contents for storages whose own are unknown, such that the operators they feed can work with them.
#pragma once

#include <optional>
#include <vector>

#include "graph/input_ranges.h"
#include "graph/input_spec.h"

namespace culprit::graph {

/// Numbers of a real or integer dtype from a seed: standard normal, or zeros for integers, unless the range
/// says otherwise.
StorageContents DrawInRange(const std::optional<InputRange>& range, at::ScalarType dtype, int64_t count,
                            uint64_t seed);

/// Gives contents to the storages of inputs that have a range and no contents yet. Returns whether there were
/// any.
bool DrawInRanges(InputSpecs& specs, const std::vector<std::optional<InputRange>>& ranges, uint64_t seed);

}  // namespace culprit::graph
