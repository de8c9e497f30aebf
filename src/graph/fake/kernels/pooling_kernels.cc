// SPDX-License-Identifier: Apache-2.0
#include <ATen/native/Pool.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;

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

at::Tensor AdaptiveAvgPool3d(const at::Tensor& self, at::IntArrayRef output_size) {
  TORCH_CHECK(self.dim() == 4 || self.dim() == 5, "adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got ",
              self.sizes());
  return at::empty(PooledSizes(self, output_size), self.options());
}

at::Tensor AdaptiveAvgPool3dBackward(const at::Tensor&, const at::Tensor& self) {
  return at::empty(self.sizes(), self.options());
}

/// One value for each of the three dimensions, or the same for all.
std::array<int64_t, 3> Triple(at::IntArrayRef values) {
  return values.size() == 1 ? std::array{values[0], values[0], values[0]}
                            : std::array{values[0], values[1], values[2]};
}

TwoTensors MaxPool3d(const at::Tensor& self, at::IntArrayRef kernel_size, at::IntArrayRef stride_or_none,
                     at::IntArrayRef padding, at::IntArrayRef dilation, bool ceil_mode) {
  const auto kernel = Triple(kernel_size), pad = Triple(padding), dilate = Triple(dilation);
  const auto stride = stride_or_none.empty() ? kernel : Triple(stride_or_none);
  std::vector<int64_t> pooled;
  for (size_t i = 0; i < 3; ++i) {
    pooled.push_back(at::native::pooling_output_shape<int64_t>(
        self.size(static_cast<int64_t>(i) - 3), kernel[i], pad[i], stride[i], dilate[i], ceil_mode));
  }
  const std::vector<int64_t> sizes = PooledSizes(self, pooled);
  const at::MemoryFormat format = self.suggest_memory_format();
  TORCH_CHECK(format != at::MemoryFormat::ChannelsLast,
              "max_pool3d of one volume takes no channels_last, but got strides ", self.strides());
  const at::TensorOptions options = self.options().memory_format(format);
  return {at::empty(sizes, options), at::empty(sizes, options.dtype(at::kLong))};
}

at::Tensor MaxPool3dBackward(const at::Tensor&, const at::Tensor& self, at::IntArrayRef, at::IntArrayRef,
                             at::IntArrayRef, at::IntArrayRef, bool, const at::Tensor&) {
  return at::empty(self.sizes(), self.options(), self.suggest_memory_format());
}

}  // namespace

void AddPoolings(torch::Library& library) {
  library.impl("_adaptive_avg_pool2d", AdaptiveAvgPool2d);
  library.impl("_adaptive_avg_pool2d_backward", AdaptiveAvgPool2dBackward);
  library.impl("_adaptive_avg_pool3d", AdaptiveAvgPool3d);
  library.impl("_adaptive_avg_pool3d_backward", AdaptiveAvgPool3dBackward);
  library.impl("max_pool3d_with_indices", MaxPool3d);
  library.impl("max_pool3d_with_indices_backward", MaxPool3dBackward);
}

}  // namespace culprit::graph::fake
