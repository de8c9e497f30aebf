// SPDX-License-Identifier: Apache-2.0
//
// Numbers from a few known seeds, and the way back from the bytes to the seed: a file that would have to keep
// such bytes says where they come from instead.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "graph/storage_contents.h"

namespace culprit::graph {

/// Recognised are the seeds 1 to this one.
constexpr uint64_t kKnownSeeds = 8;

/// Integers from -3 to 3, of any dtype; without the negative ones where there are none, and just 0 and 1 for
/// bools.
SeededNumbers SmallIntegers(at::ScalarType dtype, int64_t count, uint64_t seed);

/// Standard normal numbers; nothing for a dtype in which they cannot be drawn.
std::optional<SeededNumbers> NormalNumbers(at::ScalarType dtype, int64_t count, uint64_t seed);

/// Which of the above, with which seed, the bytes are. `dtype` is integer or floating.
std::optional<SeededNumbers> RecogniseSeeded(std::span<const std::byte> bytes, at::ScalarType dtype);

}  // namespace culprit::graph
