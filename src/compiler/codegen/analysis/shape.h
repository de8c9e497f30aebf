// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "compiler/codegen/target/machine.h"
#include "compiler/codegen/target/options.h"
#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// The variable whose iterations a stage computes at a time, if there is one.
std::optional<uint32_t> LaneVariable(const loops::Kernel& kernel, const loops::Stage& stage);

/// How many iterations go at a time.
struct Shape {
  /// Two registers of the largest elements, so that one operation need not wait for another; no more than
  /// there are. Sums down columns take more of them: a line of memory is then read at once. So do functions.
  unsigned lanes = 1;
  /// Of registers that a value takes.
  unsigned pairs = 1;
};

Shape ShapeOf(const loops::Kernel& kernel, const Processor& processor, Route route);

/// Of the stages along a long row behind the first one: the one that computes longest, so that the next row
/// can come from memory meanwhile.
std::optional<size_t> StageToReadAheadIn(const loops::Kernel& kernel);

/// The variable's extent if all kernels of this code have the same.
std::optional<int64_t> FixedExtent(const loops::Kernel& kernel, uint32_t variable);

/// How many accumulators a stage needs.
unsigned CopiesOf(const loops::Kernel& kernel, const loops::Stage& stage, const Shape& shape);

}  // namespace culprit::compiler::codegen
