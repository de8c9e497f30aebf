// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace culprit::autograd {

enum class Overlap : uint8_t {
  kNone,
  /// Each element with that at the same place.
  kSame,
  /// In another way, or nobody knows.
  kOther
};

/// Of the memory of two tensors, of which nothing but sizes and strides is looked at:
///
///   x[0], x[1] kNone     x[:, 0], x[:, 1] kNone     x, x.view_as(x) kSame     x, x.t() kOther
Overlap OverlapOf(const at::Tensor& a, const at::Tensor& b);

}  // namespace culprit::autograd
