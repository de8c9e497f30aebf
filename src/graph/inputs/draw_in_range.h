// SPDX-License-Identifier: Apache-2.0
//
// Contents for storages whose own are unknown, such that the operators they feed can work with them. They are
// described, not drawn: whoever reads a file that says so gets the same numbers.
#pragma once

#include <optional>

#include "graph/inputs/input_range.h"
#include "graph/tensors/input_spec.h"

namespace culprit::graph::inputs {

/// Numbers of a real or integer dtype from a seed: standard normal, coin flips for bools, or zeros for other
/// integers, which are valid indices everywhere; unless the range says otherwise.
StorageContents DrawInRange(const std::optional<InputRange>& range, at::ScalarType dtype, int64_t count,
                            uint64_t seed);

/// Whether the storage has bytes and nothing says which.
bool IsUnknown(const StorageSpec& storage);

/// Gives contents to all storages that are unknown. `ranges` are those of the inputs; it may be shorter. The
/// indices of sparse tensors are spread evenly, and the scales of quantised ones positive. No storage gets
/// the numbers that random operators draw from the seed itself, or x + noise would be 2x.
void DrawUnknown(InputSpecs& specs, const InputRanges& ranges, uint64_t seed);

}  // namespace culprit::graph::inputs
