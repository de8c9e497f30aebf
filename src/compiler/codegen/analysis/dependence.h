// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// What a body's expressions are like, whatever the kernel's loops do.
struct Dependence {
  /// Each expression: differs from lane to lane; is some uniform value plus the lane's number times another;
  /// reads a buffer that the kernel writes; is a Long that 32 bits are enough for.
  std::vector<bool> varies;
  std::vector<bool> is_affine;
  std::vector<bool> reads_written;
  std::vector<bool> is_small;
  /// Of affine ones: how much more each next lane's is, if that is always the same.
  std::vector<std::optional<int64_t>> steps;
};

/// `lane`: the variable whose iterations the lanes are; `wide_rows`: whether a row is one value per lane.
Dependence Analyse(const loops::Kernel& kernel, std::optional<uint32_t> lane, bool wide_rows);

}  // namespace culprit::compiler::codegen
