// SPDX-License-Identifier: Apache-2.0
//
// Whether a tensor wants a gradient, and whether it was given (a leaf) or computed: autograd treats them
// differently, for example when they are written into. What is known of autograd's insides below src/autograd
// is known here.
#pragma once

#include <ATen/core/Tensor.h>

namespace culprit::graph {

/// A fresh tensor with this gradness. What is no leaf gets a history that begins just before it, and is no
/// view, so that operators may write into it. Tensors of integers have no gradients, whatever is asked.
at::Tensor WithGradness(at::Tensor tensor, bool requires_grad, bool is_leaf);

/// Gives a fresh tensor a history that begins just before it and hands gradients on to `source`, in the dtype
/// that the source has.
void PassGradientTo(const at::Tensor& source, const at::Tensor& tensor);

/// Where the gradient of a tensor is found after a backward pass: what is no leaf has none of its own, but
/// the leaf has it that WithGradness made for its history. Ask before the tensor is written into. Any other
/// tensor is its own place.
at::Tensor HolderOfGradient(const at::Tensor& tensor);

/// Autograd lets a view be written into or not, depending on how it was made: from here on `view` counts as
/// made like `other`, which is a view too.
void MakeAsWritable(const at::Tensor& view, const at::Tensor& other);

/// Whether this thread is in a backward pass of libtorch's.
bool IsInBackward();

}  // namespace culprit::graph
