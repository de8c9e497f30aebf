// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Reduction.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mse_loss.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

at::Tensor MseLossBackward(const at::Tensor&, const at::Tensor& self, const at::Tensor&, int64_t) {
  return at::empty(self.sizes(), self.options());
}

at::Tensor HuberLoss(const at::Tensor& self, const at::Tensor& target, int64_t reduction, double) {
  if (reduction != at::Reduction::None) return at::empty({}, self.options());
  return at::mse_loss(self, target, reduction);
}

at::Tensor BinaryCrossEntropy(const at::Tensor& self, const at::Tensor&, const OptionalTensor&,
                              int64_t reduction) {
  const at::Tensor losses = at::empty_like(self);
  // The sum is kept in the memory of what was summed.
  return reduction == at::Reduction::None ? losses : losses.resize_({});
}

at::Tensor BinaryCrossEntropyBackward(const at::Tensor&, const at::Tensor& self, const at::Tensor&,
                                      const OptionalTensor&, int64_t) {
  return at::empty_like(self);
}

std::tuple<at::Tensor, at::Tensor> NllLoss2d(const at::Tensor& self, const at::Tensor& target,
                                             const OptionalTensor&, int64_t reduction, int64_t) {
  TORCH_CHECK(self.dim() == 4 && target.dim() == 3, "only batches of spatial inputs and targets supported, ",
              "but found tensors of dimension: ", self.dim(), " and ", target.dim());
  TORCH_CHECK(self.size(0) == target.size(0) && self.sizes().slice(2) == target.sizes().slice(1),
              "size mismatch (got input: ", self.sizes(), ", target: ", target.sizes(), ")");
  const at::Tensor total = at::empty({}, self.options());
  if (reduction != at::Reduction::None) return {at::empty({}, self.options()), total};
  return {at::empty(target.sizes(), self.options()), total};
}

at::Tensor NllLoss2dBackward(const at::Tensor&, const at::Tensor& self, const at::Tensor&,
                             const OptionalTensor&, int64_t, int64_t, const at::Tensor&) {
  TORCH_CHECK(self.is_contiguous(), "grad_input must be contiguous");
  return at::empty(self.sizes(), self.options());
}

}  // namespace

void AddLosses(torch::Library& library) {
  library.impl("mse_loss_backward", MseLossBackward);
  library.impl("huber_loss", HuberLoss);
  library.impl("binary_cross_entropy", BinaryCrossEntropy);
  library.impl("binary_cross_entropy_backward", BinaryCrossEntropyBackward);
  library.impl("nll_loss2d_forward", NllLoss2d);
  library.impl("nll_loss2d_backward", NllLoss2dBackward);
}

}  // namespace culprit::graph::fake
