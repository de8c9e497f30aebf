// SPDX-License-Identifier: Apache-2.0
//
// What a fault makes of a tensor. Nothing is written into the tensor that is given, and where it is a part of
// autograd's history, so is the result.
#pragma once

#include <ATen/core/Tensor.h>

namespace culprit::faults {

/// Twice the distance of neighbours in bfloat16, the coarsest dtype, so that ten times its rounding is less.
constexpr double kOff = 1.0 / 16;

/// Off by more than rounding explains in any dtype, and for every value, 0 included: floats by kOff of |x|+1,
/// integers by 1, bools are the opposite. Quantised tensors stay as they are.
at::Tensor OffByMuch(const at::Tensor& tensor);

/// A NaN in the place of the first element; tensors of integers stay as they are.
at::Tensor WithNan(const at::Tensor& tensor);

/// With a dimension more.
at::Tensor OfOtherShape(const at::Tensor& tensor);

/// With more bits, or fewer if there are no more.
at::Tensor OfOtherDtype(const at::Tensor& tensor);

/// The same tensor; gradients that come through it will be off.
at::Tensor WithWrongGradient(const at::Tensor& tensor);

/// Writes wrong numbers into the memory behind a tensor as a stray pointer does: autograd does not notice.
void Scribble(const at::Tensor& tensor);

}  // namespace culprit::faults
