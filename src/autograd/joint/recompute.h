// SPDX-License-Identifier: Apache-2.0
//
// What backward may compute once more in place of getting it saved from forward.
//
//   kFree    views: they share the memory of what they are a view of, which is saved in their place. So saved
//            inputs keep their identity, and no memory is held twice
//   kCheap   pointwise operators and factories, from a table
//   kNever   all others: what draws random numbers, writes, is near memory that is written (its contents are
//            others by the time backward runs), what takes long (matrix products, convolutions, sorts,
//            reductions), what nobody knows (custom operators). And numbers: they cost nothing to save, while
//            the tensor that a size belongs to does
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/joint/joint.h"

namespace culprit::autograd {

enum class Recompute : uint8_t { kNever, kFree, kCheap };

/// For every node of forward.
std::vector<Recompute> RecomputeOf(const Joint& joint);

/// Sizes and the like: they cost no memory.
bool IsNumber(graph::ValueKind kind);

/// Whether it is in the table of operators that are kCheap.
bool IsCheap(const graph::Operator& op);

}  // namespace culprit::autograd
