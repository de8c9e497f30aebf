// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/empty.h>
#include <ATen/ops/reflection_pad3d_meta_dispatch.h>
#include <ATen/ops/replication_pad2d_meta_dispatch.h>
#include <ATen/ops/replication_pad3d_meta_dispatch.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;

/// Pads come in pairs from the last dimension backwards.
at::Tensor ReflectionPad2d(const at::Tensor& self, at::IntArrayRef padding) {
  TORCH_CHECK(padding.size() == 4 && (self.dim() == 3 || self.dim() == 4),
              "3D or 4D (batch mode) tensor expected for input, but got: ", self.sizes());
  std::vector<int64_t> sizes = self.sizes().vec();
  const int64_t width = self.size(-1), height = self.size(-2);
  TORCH_CHECK(padding[0] < width && padding[1] < width && padding[2] < height && padding[3] < height,
              "Padding size should be less than the corresponding input dimension, but got: padding ",
              padding, " of input ", self.sizes());
  sizes[sizes.size() - 1] += padding[0] + padding[1];
  sizes[sizes.size() - 2] += padding[2] + padding[3];
  return at::empty(sizes, self.options(), self.suggest_memory_format());
}

/// libtorch's own Meta kernels of some pads know the sizes, but forget the memory format.
template <auto own>
at::Tensor PadInFormat(const at::Tensor& self, at::IntArrayRef padding) {
  return at::empty(own(self, padding).sizes(), self.options(), self.suggest_memory_format());
}

at::Tensor PadBackward(const at::Tensor&, const at::Tensor& self, at::IntArrayRef) {
  return at::empty(self.sizes(), self.options(), self.suggest_memory_format());
}

/// How often a window of `kernel` fits.
int64_t Windows(int64_t size, int64_t kernel, int64_t dilation, int64_t padding, int64_t stride) {
  return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

at::Tensor Im2col(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef dilation,
                  at::IntArrayRef padding, at::IntArrayRef stride) {
  TORCH_CHECK(self.dim() == 3 || self.dim() == 4,
              "Expected 3D or 4D (batch mode) tensor, but got: ", self.sizes());
  const int64_t rows = Windows(self.size(-2), kernel[0], dilation[0], padding[0], stride[0]);
  const int64_t columns = Windows(self.size(-1), kernel[1], dilation[1], padding[1], stride[1]);
  TORCH_CHECK(rows > 0 && columns > 0, "the array of sliding blocks of ", self.sizes(), " would be ", rows,
              " by ", columns);
  std::vector<int64_t> sizes = self.sizes().slice(0, self.dim() - 2).vec();
  sizes.back() *= kernel[0] * kernel[1];
  sizes.push_back(rows * columns);
  return at::empty(sizes, self.options());
}

at::Tensor Col2im(const at::Tensor& self, at::IntArrayRef output_size, at::IntArrayRef kernel,
                  at::IntArrayRef, at::IntArrayRef, at::IntArrayRef) {
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3,
              "Expected 2D or 3D (batch mode) tensor, but got: ", self.sizes());
  std::vector<int64_t> sizes = self.sizes().slice(0, self.dim() - 1).vec();
  sizes.back() /= kernel[0] * kernel[1];
  sizes.insert(sizes.end(), output_size.begin(), output_size.end());
  return at::empty(sizes, self.options());
}

/// A pixel for each point of the grid, in two dimensions or three.
at::Tensor GridSampler(const at::Tensor& input, const at::Tensor& grid, int64_t, int64_t, bool) {
  TORCH_CHECK(input.dim() == grid.dim() && input.size(0) == grid.size(0) && grid.size(-1) == input.dim() - 2,
              "expected grid and input to agree, but got input with sizes ", input.sizes(),
              " and grid with sizes ", grid.sizes());
  std::vector<int64_t> sizes = input.sizes().slice(0, 2).vec();
  const at::IntArrayRef points = grid.sizes().slice(1, grid.dim() - 2);
  sizes.insert(sizes.end(), points.begin(), points.end());
  return at::empty(sizes, input.options());
}

TwoTensors GridSamplerBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor& grid, int64_t,
                               int64_t, bool, std::array<bool, 2> mask) {
  at::Tensor grad_input;
  if (mask[0]) grad_input = at::empty(input.sizes(), input.options());
  return {grad_input, at::empty(grid.sizes(), grid.options())};
}

}  // namespace

void AddImages(torch::Library& library) {
  library.impl("reflection_pad2d", ReflectionPad2d);
  library.impl("reflection_pad2d_backward", PadBackward);
  library.impl("replication_pad2d", PadInFormat<at::meta::replication_pad2d>);
  library.impl("replication_pad2d_backward", PadBackward);
  library.impl("replication_pad3d", PadInFormat<at::meta::replication_pad3d>);
  library.impl("reflection_pad3d", PadInFormat<at::meta::reflection_pad3d>);
  library.impl("reflection_pad3d_backward", PadBackward);
  library.impl("replication_pad3d_backward", PadBackward);
  library.impl("im2col", Im2col);
  library.impl("col2im", Col2im);
  library.impl("grid_sampler_2d", GridSampler);
  library.impl("grid_sampler_2d_backward", GridSamplerBackward);
  library.impl("grid_sampler_3d", GridSampler);
  library.impl("grid_sampler_3d_backward", GridSamplerBackward);
}

}  // namespace culprit::graph::fake
