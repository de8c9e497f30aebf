// SPDX-License-Identifier: Apache-2.0
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

/// One dimension after the other, each as libtorch does it: the tail in front of the head.
at::Tensor Roll(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  TORCH_CHECK(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    return Roll(self.contiguous().view(self.numel()), shifts[0], 0).view(self.sizes());
  }
  TORCH_CHECK(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(),
              ", dims:", dims.size());
  at::Tensor rolled = self;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (rolled.numel() == 0) return rolled.clone();
    const int64_t size = rolled.size(dims[i]);
    const int64_t start = ((size - shifts[i]) % size + size) % size;
    rolled =
        at::cat({rolled.narrow(dims[i], start, size - start), rolled.narrow(dims[i], 0, start)}, dims[i]);
  }
  return rolled;
}

at::Tensor Flip(const at::Tensor& self, at::IntArrayRef) {
  return at::empty_like(self);
}

at::Tensor ChannelShuffle(const at::Tensor& self, int64_t groups) {
  TORCH_CHECK(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ",
              self.sizes());
  TORCH_CHECK(groups > 0 && self.size(1) % groups == 0,
              "Number of channels must be divisible by groups. Got ", self.size(1), " channels and ", groups,
              " groups.");
  return at::empty(self.sizes(), self.options(), self.suggest_memory_format());
}

/// Pixels from channels; the other way round, `factor` divides the sides of the image.
at::Tensor PixelShuffle(const at::Tensor& self, int64_t factor) {
  TORCH_CHECK(self.dim() >= 3 && factor > 0 && self.size(-3) % (factor * factor) == 0,
              "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of ",
              factor, ", but got input with sizes ", self.sizes());
  std::vector<int64_t> sizes = self.sizes().vec();
  const size_t channels = sizes.size() - 3;
  sizes[channels] /= factor * factor;
  sizes[channels + 1] *= factor;
  sizes[channels + 2] *= factor;
  return at::empty(sizes, self.options(), self.suggest_memory_format());
}

at::Tensor PixelUnshuffle(const at::Tensor& self, int64_t factor) {
  TORCH_CHECK(self.dim() >= 3 && factor > 0 && self.size(-2) % factor == 0 && self.size(-1) % factor == 0,
              "pixel_unshuffle expects height and width to be divisible by ", factor,
              ", but got input with sizes ", self.sizes());
  std::vector<int64_t> sizes = self.sizes().vec();
  const size_t channels = sizes.size() - 3;
  sizes[channels] *= factor * factor;
  sizes[channels + 1] /= factor;
  sizes[channels + 2] /= factor;
  return at::empty(sizes, self.options(), self.suggest_memory_format());
}

at::Tensor UnfoldBackward(const at::Tensor& grad, at::IntArrayRef input_sizes, int64_t, int64_t, int64_t) {
  return at::empty(input_sizes, grad.options());
}

at::TensorOptions IndexOptions(std::optional<at::ScalarType> dtype) {
  return at::TensorOptions(at::kMeta).dtype(dtype.value_or(at::kLong));
}

at::Tensor TrilIndices(int64_t rows, int64_t columns, int64_t offset, std::optional<at::ScalarType> dtype,
                       std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  return at::empty({2, at::native::get_tril_size(rows, columns, offset)}, IndexOptions(dtype));
}

at::Tensor TriuIndices(int64_t rows, int64_t columns, int64_t offset, std::optional<at::ScalarType> dtype,
                       std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  const int64_t below = at::native::get_tril_size(rows, columns, offset - 1);
  return at::empty({2, rows * columns - below}, IndexOptions(dtype));
}

}  // namespace

void AddRearrangements(torch::Library& library) {
  library.impl("roll", Roll);
  library.impl("flip", Flip);
  library.impl("channel_shuffle", ChannelShuffle);
  library.impl("native_channel_shuffle", ChannelShuffle);
  library.impl("pixel_shuffle", PixelShuffle);
  library.impl("pixel_unshuffle", PixelUnshuffle);
  library.impl("unfold_backward", UnfoldBackward);
  library.impl("tril_indices", TrilIndices);
  library.impl("triu_indices", TriuIndices);
}

}  // namespace culprit::graph::fake
