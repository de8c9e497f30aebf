// SPDX-License-Identifier: Apache-2.0
//
// Overloads that write into a given tensor. libtorch makes others of them: abs(x) is abs.out(x, new tensor)
// and abs_(x) is abs.out(x, x), so that a kernel here serves all three.
#include <ATen/TensorIterator.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalDouble = std::optional<double>;

/// Resizes `out` as libtorch's own loops do.
at::Tensor& Prepared(at::Tensor& out, std::initializer_list<at::Tensor> inputs) {
  at::TensorIteratorConfig config;
  config.check_all_same_dtype(false).add_owned_output(out);
  for (const at::Tensor& input : inputs) config.add_owned_input(input);
  config.build();
  return out;
}

at::Tensor& Unary(const at::Tensor& self, at::Tensor& out) {
  return Prepared(out, {self});
}

at::Tensor& Binary(const at::Tensor& self, const at::Tensor& other, at::Tensor& out) {
  return Prepared(out, {self, other});
}

at::Tensor& NanToNum(const at::Tensor& self, OptionalDouble, OptionalDouble, OptionalDouble,
                     at::Tensor& out) {
  return Prepared(out, {self});
}

at::Tensor& Logit(const at::Tensor& self, OptionalDouble, at::Tensor& out) {
  return Prepared(out, {self});
}

at::Tensor& Hardtanh(const at::Tensor& self, const at::Scalar&, const at::Scalar&, at::Tensor& out) {
  return Prepared(out, {self});
}

at::Tensor& Where(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other,
                  at::Tensor& out) {
  return Prepared(out, {condition, self, other});
}

at::Tensor& HuberLossBackward(const at::Tensor& grad, const at::Tensor& self, const at::Tensor& target,
                              int64_t, double, at::Tensor& out) {
  return Prepared(out, {self, target, grad});
}

}  // namespace

void AddOutputs(torch::Library& library) {
  library.impl("abs.out", Unary);
  library.impl("angle.out", Unary);
  library.impl("conj_physical.out", Unary);
  library.impl("hardswish.out", Unary);
  library.impl("logical_not.out", Unary);
  library.impl("complex.out", Binary);
  library.impl("floor_divide.out", Binary);
  library.impl("logical_and.out", Binary);
  library.impl("logical_or.out", Binary);
  library.impl("logical_xor.out", Binary);
  library.impl("polar.out", Binary);
  library.impl("nan_to_num.out", NanToNum);
  library.impl("logit.out", Logit);
  library.impl("hardtanh.out", Hardtanh);
  library.impl("where.self_out", Where);
  library.impl("huber_loss_backward.out", HuberLossBackward);
}

}  // namespace culprit::graph::fake
