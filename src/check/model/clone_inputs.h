// SPDX-License-Identifier: Apache-2.0
//
// Inputs for one run, which may write into them: the same numbers in the same layout, in memory of their own.
// Kept are strides (zero and overlapping ones too), offsets, addresses modulo 64 bytes, who shares memory
// with whom, requires_grad and who is a leaf, and who was made in inference mode. Not kept are gradients and
// history: what is no leaf gets a history that begins just before it (graph/tensors/gradness.h).
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {

/// Clones any number of values that may share memory.
class InputClones {
 public:
  at::Tensor Clone(const at::Tensor& tensor);
  /// All tensors in the value (graph/tensors/map_tensors.h), and generators with their state.
  c10::IValue Clone(const c10::IValue& value);

 private:
  graph::TensorCopies copies_;
};

std::vector<c10::IValue> CloneInputs(const std::vector<c10::IValue>& inputs);

/// As graph::CastInputsToFp64, with gradness kept.
base::Result<std::vector<c10::IValue>> CloneInputsInFp64(const std::vector<c10::IValue>& inputs);

}  // namespace culprit::check
