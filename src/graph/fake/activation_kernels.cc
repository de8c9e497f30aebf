// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels.h"

namespace culprit::graph::fake {
namespace {

at::Tensor Relu(const at::Tensor& self) {
  return at::clamp_min(self, 0);
}

at::Tensor Hardtanh(const at::Tensor& self, const at::Scalar&, const at::Scalar&) {
  return at::empty_like(self);
}

at::Tensor HardtanhBackward(const at::Tensor& grad, const at::Tensor& self, const at::Scalar&,
                            const at::Scalar&) {
  return grad.mul(self);
}

at::Tensor Hardswish(const at::Tensor& self) {
  return at::empty_like(self);
}

at::Tensor HardswishBackward(const at::Tensor& grad, const at::Tensor& self) {
  return grad.mul(self);
}

}  // namespace

void AddActivations(torch::Library& library) {
  library.impl("relu", Relu);
  library.impl("hardtanh", Hardtanh);
  library.impl("hardtanh_backward", HardtanhBackward);
  library.impl("hardswish", Hardswish);
  library.impl("hardswish_backward", HardswishBackward);
}

}  // namespace culprit::graph::fake
