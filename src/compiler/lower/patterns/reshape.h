// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/lower/loop_builder.h"

namespace culprit::compiler::lower {

/// Where an element of a tensor of sizes `shape` is in one of sizes `source` that has the same elements in
/// the same order. Dimensions that line up keep their indices; only between those is divided.
Indices ReshapedIndices(LoopBuilder& loop, const Sizes& shape, const Indices& indices, const Sizes& source);

}  // namespace culprit::compiler::lower
