// SPDX-License-Identifier: Apache-2.0
#include <ATen/TensorIterator.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;

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

at::Tensor Prelu(const at::Tensor& self, const at::Tensor&) {
  return at::empty_like(self);
}

/// Both as a loop over all three lays out its results.
TwoTensors PreluBackward(const at::Tensor& grad, const at::Tensor& self, const at::Tensor& weight) {
  at::TensorIteratorConfig config;
  config.add_owned_output(at::Tensor()).add_owned_output(at::Tensor());
  config.add_owned_const_input(self).add_owned_const_input(weight).add_owned_const_input(grad);
  const at::TensorIterator loop = config.build();
  return {loop.output(0), loop.output(1)};
}

TwoTensors LogSigmoid(const at::Tensor& self) {
  return {at::empty(self.sizes(), self.options()), at::empty(self.sizes(), self.options())};
}

at::Tensor LogSigmoidBackward(const at::Tensor& grad, const at::Tensor&, const at::Tensor&) {
  return at::empty_like(grad);
}

at::Tensor GluBackward(const at::Tensor&, const at::Tensor& self, int64_t) {
  return at::empty(self.sizes(), self.options());
}

// The dispatcher wants generators by value.
// NOLINTBEGIN(performance-unnecessary-value-param)
at::Tensor RreluWithNoise(const at::Tensor& self, at::Tensor&, const at::Scalar&, const at::Scalar&, bool,
                          std::optional<at::Generator>) {
  return at::empty(self.sizes(), self.options());
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace

void AddActivations(torch::Library& library) {
  library.impl("relu", Relu);
  library.impl("hardtanh", Hardtanh);
  library.impl("hardtanh_backward", HardtanhBackward);
  library.impl("hardswish", Hardswish);
  library.impl("hardswish_backward", HardswishBackward);
  library.impl("_prelu_kernel", Prelu);
  library.impl("_prelu_kernel_backward", PreluBackward);
  library.impl("log_sigmoid_forward", LogSigmoid);
  library.impl("log_sigmoid_backward", LogSigmoidBackward);
  library.impl("glu_backward", GluBackward);
  library.impl("rrelu_with_noise", RreluWithNoise);
}

}  // namespace culprit::graph::fake
