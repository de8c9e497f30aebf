// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace culprit::compiler::run {

/// As at::empty_strided on the CPU, in memory that malloc has at hand for the next tensor of as many bytes.
///
/// libtorch asks for aligned memory. malloc takes more than that, cuts off both ends and keeps them for
/// something small. So what a tensor leaves behind is too short for the next one like it, which comes to lie
/// elsewhere, where nothing is in the cache: kernels that wait for memory take one and a half times as long.
/// Here a tensor has the whole block, and begins at the first line of memory in it.
at::Tensor EmptyInKeptMemory(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                             at::ScalarType dtype);

}  // namespace culprit::compiler::run
