// SPDX-License-Identifier: Apache-2.0
#include "graph/translate/table.h"

#include <vector>

#include "graph/translate/expansions.h"
#include "graph/translate/rows.h"

namespace culprit::graph::translate {
namespace {

constexpr std::string_view kMaxPool = "self, kernel_size, stride, padding, dilation, ceil_mode";

constexpr FunctionTranslation kFunctions[] = {
    {"prims::broadcast_in_dim", "a, shape, broadcast_dimensions", ExpandBroadcastInDim, "unsqueeze, expand"},

    {"prims::_low_memory_max_pool2d_with_offsets", kMaxPool, ExpandMaxPoolWithOffsets,
     "max_pool2d_with_indices, and offsets computed from its indices"},
    {"prims::_low_memory_max_pool_with_offsets", kMaxPool, ExpandMaxPoolWithOffsets,
     "max_pool2d_with_indices or 3d, and offsets computed from its indices"},
    {"prims::_low_memory_max_pool2d_offsets_to_indices",
     "self, kernel_w, input_w, stride, padding, dilation=[1, 1]", ExpandMaxPool2dOffsets,
     "arithmetic on the offsets"},
    {"prims::_low_memory_max_pool_offsets_to_indices",
     "self, kernel_size, input_size, stride, padding, dilation", ExpandMaxPoolOffsets,
     "arithmetic on the offsets"},
};

constexpr FunctionTranslation kCudaOnlyFunctions[] = {
    {"aten::_fused_rms_norm_backward", "grad_out, input, normalized_shape, rstd, weight, output_mask",
     ExpandFusedRmsNormBackward, "products and means"},

    {"aten::_scaled_dot_product_flash_attention",
     "query, key, value, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None",
     ExpandFlashAttention, "matmul, softmax, logsumexp, matmul"},
    {"aten::_scaled_dot_product_efficient_attention",
     "query, key, value, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, *, scale=None",
     ExpandEfficientAttention, "matmul, softmax, logsumexp, matmul"},
    {"aten::_scaled_dot_product_cudnn_attention",
     "query, key, value, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, "
     "return_debug_mask=False, *, scale=None",
     ExpandCudnnAttention, "matmul, softmax, logsumexp, matmul"},
    {"aten::_scaled_dot_product_fused_attention_overrideable",
     "query, key, value, attn_bias=None, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, "
     "scale=None",
     ExpandOverrideableAttention, "matmul, softmax, logsumexp, matmul"},

    {"aten::_scaled_dot_product_flash_attention_backward",
     "grad_out, query, key, value, out, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal, "
     "philox_seed, philox_offset, *, scale=None",
     ExpandFlashAttentionBackward, "matmul, exp, products, sums"},
    {"aten::_scaled_dot_product_efficient_attention_backward",
     "grad_out_, query, key, value, attn_bias, out, logsumexp, philox_seed, philox_offset, dropout_p, "
     "grad_input_mask, is_causal=False, *, scale=None",
     ExpandEfficientAttentionBackward, "matmul, exp, products, sums"},
    {"aten::_scaled_dot_product_cudnn_attention_backward",
     "grad_out, query, key, value, out, logsumexp, philox_seed, philox_offset, attn_bias, cum_seq_q, "
     "cum_seq_k, max_q, max_k, dropout_p, is_causal, *, scale=None",
     ExpandCudnnAttentionBackward, "matmul, exp, products, sums"},
    {"aten::_scaled_dot_product_fused_attention_overrideable_backward",
     "grad_out, query, key, value, attn_bias, grad_input_mask, out, logsumexp, cum_seq_q, cum_seq_k, max_q, "
     "max_k, dropout_p, is_causal, philox_seed, philox_offset, *, scale=None",
     ExpandOverrideableAttentionBackward, "matmul, exp, products, sums"},
};

}  // namespace

std::span<const Translation> AllTranslations() {
  static const std::vector<Translation>& rows = *[] {
    auto* all = new std::vector<Translation>();
    for (const auto part : {PrimsTranslations(), ElementwisePrimsTranslations()})
      all->insert(all->end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

std::span<const FunctionTranslation> FunctionTranslations() {
  return kFunctions;
}

std::span<const FunctionTranslation> CudaOnlyFunctions() {
  return kCudaOnlyFunctions;
}

}  // namespace culprit::graph::translate
