// SPDX-License-Identifier: Apache-2.0
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

at::Tensor IndexSelect(const at::Tensor& self, int64_t dim, const at::Tensor& index) {
  TORCH_CHECK(index.dim() <= 1, "index_select(): Index is supposed to be a vector");
  TORCH_CHECK_INDEX(index.scalar_type() == at::kLong || index.scalar_type() == at::kInt,
                    "index_select(): Expected dtype int32 or int64 for index");
  std::vector<int64_t> sizes = self.sizes().vec();
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!sizes.empty()) sizes[dim] = index.numel();
  return at::empty(sizes, self.options());
}

at::Tensor RepeatInterleave(const at::Tensor& repeats, std::optional<int64_t> output_size) {
  return at::empty({output_size.value()}, repeats.options());
}

at::Tensor NonzeroStatic(const at::Tensor& self, int64_t size, int64_t) {
  TORCH_CHECK(size >= 0, "nonzero_static: 'size' must be an non-negative integer, but got ", size);
  return at::empty({size, self.dim()}, self.options().dtype(at::kLong));
}

at::Tensor Take(const at::Tensor& self, const at::Tensor& index) {
  TORCH_CHECK_INDEX(index.scalar_type() == at::kLong, "take(): Expected a long tensor for index, but got ",
                    index.scalar_type());
  return at::empty(index.sizes(), self.options());
}

at::Tensor EmbeddingDenseBackward(const at::Tensor& grad, const at::Tensor&, int64_t rows, int64_t, bool) {
  return at::empty({rows, grad.size(-1)}, grad.options());
}

}  // namespace

void AddIndexings(torch::Library& library) {
  library.impl("index_select", IndexSelect);
  library.impl("nonzero_static", NonzeroStatic);
  library.impl("take", Take);
  library.impl("embedding_dense_backward", EmbeddingDenseBackward);
  library.impl("repeat_interleave.Tensor", RepeatInterleave);
}

}  // namespace culprit::graph::fake
