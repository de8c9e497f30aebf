// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels.h"

namespace culprit::graph::fake {
namespace {

/// All but the last dimensions of `self`, then `output_size`.
std::vector<int64_t> PooledSizes(const at::Tensor& self, at::IntArrayRef output_size) {
  const auto kept = static_cast<size_t>(self.dim()) - output_size.size();
  std::vector<int64_t> sizes = self.sizes().slice(0, kept).vec();
  sizes.insert(sizes.end(), output_size.begin(), output_size.end());
  return sizes;
}

at::Tensor AdaptiveAvgPool2d(const at::Tensor& self, at::IntArrayRef output_size) {
  TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got ",
              self.sizes());
  return at::empty(PooledSizes(self, output_size),
                   self.options().memory_format(self.suggest_memory_format()));
}

at::Tensor AdaptiveAvgPool2dBackward(const at::Tensor&, const at::Tensor& self) {
  return at::empty(self.sizes(), self.options().memory_format(self.suggest_memory_format()));
}

}  // namespace

void AddPoolings(torch::Library& library) {
  library.impl("_adaptive_avg_pool2d", AdaptiveAvgPool2d);
  library.impl("_adaptive_avg_pool2d_backward", AdaptiveAvgPool2dBackward);
}

}  // namespace culprit::graph::fake
