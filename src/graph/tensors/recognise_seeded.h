// SPDX-License-Identifier: Apache-2.0
//
// Numbers from a few known seeds, and the way back from the bytes to the seed: a file that would have to keep
// such bytes says where they come from instead. The same for many zeros or ones.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <span>

#include "graph/tensors/storage_contents.h"

namespace culprit::graph {

/// Recognised are the seeds 1 to this one.
constexpr uint64_t kKnownSeeds = 8;

/// So many are as well written out.
constexpr int64_t kFewNumbers = 16;

/// Integers from -3 to 3, of any dtype; without the negative ones where there are none, and just 0 and 1 for
/// bools.
SeededNumbers SmallIntegers(at::ScalarType dtype, int64_t count, uint64_t seed);

/// Standard normal numbers; nothing for a dtype in which they cannot be drawn.
std::optional<SeededNumbers> NormalNumbers(at::ScalarType dtype, int64_t count, uint64_t seed);

/// 0 or 1 if all numbers of the vector are that, bit for bit, and there are more than a few.
std::optional<int> RecogniseConstant(const at::Tensor& flat);

/// Which of the above, with which seed, the bytes are. `dtype` is integer or floating.
std::optional<SeededNumbers> RecogniseSeeded(std::span<const std::byte> bytes, at::ScalarType dtype);

}  // namespace culprit::graph
