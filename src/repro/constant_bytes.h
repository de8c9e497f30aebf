// SPDX-License-Identifier: Apache-2.0
//
// What a file holds of a constant that is plain and on the CPU: its storage from the constant's first element
// to its last, without lazy bits.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "graph/tensors/tensor_copy.h"

namespace culprit::repro {

struct ConstantBytes {
  /// On memory that begins with the first element.
  graph::Geometry geometry;
  std::span<const std::byte> bytes;
  /// Of the numbers that the bytes are: real.
  at::ScalarType dtype = at::kFloat;
  /// Keeps the memory.
  at::Tensor tensor;
};

bool CanBeWritten(const at::Tensor& constant);
ConstantBytes BytesOfConstant(const at::Tensor& constant);

}  // namespace culprit::repro
