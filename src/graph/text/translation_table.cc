// SPDX-License-Identifier: Apache-2.0
#include "graph/text/translation_table.h"

#include <vector>

#include "graph/text/expansions.h"
#include "graph/text/translation_lists.h"

namespace culprit::graph::text {
namespace {

constexpr std::string_view kMaxPool = "self, kernel_size, stride, padding, dilation, ceil_mode";

constexpr FunctionTranslation kFunctions[] = {
    {"aten::squeeze.dims", "self, dim", ExpandSqueezeDims, "a squeeze per dimension"},
    {"prims::squeeze", "a, dimensions", ExpandSqueezeDims, "a squeeze per dimension"},
    {"aten::empty_permuted",
     "size, physical_layout, *, dtype=None, layout=None, device=None, pin_memory=None", ExpandEmptyPermuted,
     "empty, permute"},
    {"prims::broadcast_in_dim", "a, shape, broadcast_dimensions", ExpandBroadcastInDim, "unsqueeze, expand"},

    {"aten::_unsafe_masked_index", "self, mask, indices, fill", ExpandMaskedIndex,
     "index with clamped indices, masked_fill"},
    {"aten::_unsafe_masked_index_put_accumulate", "self, mask, indices, values", ExpandMaskedIndexPut,
     "masked_fill, index_put with clamped indices"},

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

    {"aten::rms_norm", "input, normalized_shape, weight=None, eps=None", ExpandRmsNorm,
     "mean of squares, rsqrt, products"},
    {"aten::_fused_rms_norm", "input, normalized_shape, weight, eps", ExpandFusedRmsNorm,
     "mean of squares, rsqrt, products"},
    {"aten::_fused_rms_norm_backward", "grad_out, input, normalized_shape, rstd, weight, output_mask",
     ExpandFusedRmsNormBackward, "products and means"},

    {"aten::scaled_dot_product_attention",
     "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False",
     ExpandAttention, "_scaled_dot_product_attention"},
    {"aten::_scaled_dot_product_flash_attention",
     "query, key, value, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None",
     ExpandFlashAttention, "matmul, softmax, logsumexp, matmul"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu",
     "query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None",
     ExpandCpuFlashAttention, "matmul, softmax, logsumexp, matmul"},
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
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward",
     "grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, *, attn_mask=None, scale=None",
     ExpandCpuFlashAttentionBackward, "matmul, exp, products, sums"},
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
    for (const auto part : {PrimsTranslations(), ElementwisePrimsTranslations(), NormalizationTranslations(),
                            AtenTranslations()}) {
      all->insert(all->end(), part.begin(), part.end());
    }
    return all;
  }();
  return rows;
}

std::span<const FunctionTranslation> FunctionTranslations() {
  return kFunctions;
}

}  // namespace culprit::graph::text
