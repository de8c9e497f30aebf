// SPDX-License-Identifier: Apache-2.0
//
// Memory that is written in several places at once, or read while it is written: libtorch refuses it, or what
// comes out depends on the order in which it goes through the elements. Where that is not easily told, the
// answer is yes.
//
//   x.expand(3, 4).zero_()              overlaps itself
//   x[1:].add_(x[:-1])                  the two overlap
//   x[:, 0].add_(x[:, 1]), x.add_(x)    fine
#pragma once

#include <ATen/core/Tensor.h>

namespace culprit::autograd {

/// Whether two elements may lie in one place.
bool MayOverlapItself(const at::Tensor& tensor);

/// Whether each element lies where the other tensor's is at the same index.
bool LieInOnePlace(const at::Tensor& a, const at::Tensor& b);

/// Whether elements may share their place with others than those at the same index.
bool MayOverlap(const at::Tensor& written, const at::Tensor& read);

}  // namespace culprit::autograd
