// SPDX-License-Identifier: Apache-2.0
//
// One number from any output, to begin the backward pass with. As PyTorch's reduce_to_scalar_loss:
//
//   tensor                        sum of the elements / how many there are (works for integers too)
//   list, tuple, named tuple      sum of the reductions / how many there are
//   dict                          the same over its values
//   object with `logits`          reduction of the logits (outputs of language models)
//   object with `mean`            sum of the mean (distributions)
//
// Mended: None and plain numbers beside a tensor are left out of sum and count, where PyTorch gives up; of
// complex tensors the real and imaginary parts are summed, since a backward pass has to begin with a real
// number; of sparse tensors (COO) the values are summed, for which libtorch has another operator.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "base/result.h"

namespace culprit::check {

/// Whether a tensor in the value requires a gradient.
bool RequiresBackward(const c10::IValue& output);

/// Anything else is an error that names its type: "don't know how to reduce str".
base::Result<at::Tensor> ReduceToScalarLoss(const c10::IValue& output);

}  // namespace culprit::check
