// SPDX-License-Identifier: Apache-2.0
#include <ATen/OpMathType.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

std::tuple<at::Tensor, at::Tensor> MultiHeadAttention(const at::Tensor& query, const at::Tensor& key,
                                                      const at::Tensor&, int64_t embed_dim, int64_t heads,
                                                      const at::Tensor& qkv_weight, const at::Tensor&,
                                                      const at::Tensor&, const at::Tensor&,
                                                      const OptionalTensor&, bool need_weights,
                                                      bool average_weights, std::optional<int64_t>) {
  TORCH_CHECK(query.dim() == 3 && query.size(2) == embed_dim, "expected 3-D `query` of ", embed_dim,
              " features, got ", query.sizes());
  TORCH_CHECK(qkv_weight.dim() == 2 && qkv_weight.size(0) == 3 * embed_dim, "expected `qkv_weight` of 3 * ",
              embed_dim, " rows, got ", qkv_weight.sizes());
  TORCH_CHECK(embed_dim % heads == 0, "`embed_dim` must divide evenly by `num_heads`");
  const int64_t batch = query.size(0), rows = query.size(1), columns = key.size(1);
  at::Tensor weights;
  if (need_weights && average_weights) weights = at::empty({batch, rows, columns}, query.options());
  if (need_weights && !average_weights) weights = at::empty({batch, heads, rows, columns}, query.options());
  return {at::empty(query.sizes(), query.options()), weights};
}

at::Tensor TransformerEncoderLayer(const at::Tensor& src, int64_t, int64_t, const at::Tensor&,
                                   const at::Tensor&, const at::Tensor&, const at::Tensor&, bool, bool,
                                   double, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                   const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                   const at::Tensor&, const OptionalTensor&, std::optional<int64_t>) {
  return at::empty(src.sizes(), src.options());
}

/// Memory in which the heads of one row lie side by side.
at::Tensor HeadsInside(const at::Tensor& tensor) {
  return at::empty({tensor.size(0), tensor.size(2), tensor.size(1), tensor.size(3)}, tensor.options())
      .transpose(1, 2);
}

std::tuple<at::Tensor, at::Tensor> FlashAttention(const at::Tensor& query, const at::Tensor& key,
                                                  const at::Tensor& value, double, bool,
                                                  const OptionalTensor&, std::optional<double>) {
  TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4,
              "expected tensors of 4 dimensions, got ", query.sizes(), ", ", key.sizes(), " and ",
              value.sizes());
  TORCH_CHECK(query.size(3) == value.size(3) && key.size(3) == value.size(3),
              "expected query, key and value of one width, got ", query.sizes(), ", ", key.sizes(), " and ",
              value.sizes());
  const at::ScalarType sums = at::toOpMathType(query.scalar_type());
  const at::Tensor logsumexp =
      at::empty({query.size(0), query.size(2), query.size(1)}, query.options().dtype(sums));
  return {at::empty_like(query), logsumexp.transpose(1, 2)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> FlashAttentionBackward(
    const at::Tensor&, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor&, const at::Tensor&, double, bool, const OptionalTensor&, std::optional<double>) {
  return {HeadsInside(query), HeadsInside(key), HeadsInside(value)};
}

at::Tensor MaskedSoftmax(const at::Tensor& self, const at::Tensor&, std::optional<int64_t>,
                         std::optional<int64_t>) {
  return at::empty(self.sizes(), self.options());
}

}  // namespace

void AddAttentions(torch::Library& library) {
  library.impl("_native_multi_head_attention", MultiHeadAttention);
  library.impl("_transformer_encoder_layer_fwd", TransformerEncoderLayer);
  library.impl("_masked_softmax", MaskedSoftmax);
  library.impl("_scaled_dot_product_flash_attention_for_cpu", FlashAttention);
  library.impl("_scaled_dot_product_flash_attention_for_cpu_backward", FlashAttentionBackward);
}

}  // namespace culprit::graph::fake
