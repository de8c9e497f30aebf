// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/DispatchKeySet.h>

#include <vector>

#include "backend/backend.h"

namespace culprit::backends::native {

/// What code may depend on of an input: a number itself; keys, dtype, sizes and strides of a tensor; of a
/// list those of each tensor.
struct InputLayout {
  enum class Kind : uint8_t { kNumber, kTensor, kTensors };
  Kind kind = Kind::kNumber;
  c10::IValue number = {};
  /// Where and how it is stored, and whether what is in memory stands for something else: its negative, its
  /// conjugate, zeros. Without those of autograd.
  c10::DispatchKeySet keys = {};
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes = {};
  /// None if it is not strided.
  std::vector<int64_t> strides = {};
  std::vector<InputLayout> tensors = {};
};

std::vector<InputLayout> LayoutsOf(const backend::Values& inputs);

bool LieAs(const backend::Values& inputs, const std::vector<InputLayout>& layouts);

}  // namespace culprit::backends::native
