// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace culprit::compiler::run {

/// Whether all numbers of a tensor, which are Int or Long, are from `lowest` up to below `end`. Neither
/// bound is larger than a size can be.
bool AllWithinBounds(const at::Tensor& numbers, int64_t lowest, int64_t end);

}  // namespace culprit::compiler::run
