// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;
using tests::Row;

TEST(AttentionKernels, MultiHeadAttention) {
  const std::vector<std::string> inputs = {"f32[2,5,8]", "f32[24,8]", "f32[24]", "f32[8,8]", "f32[8]"};
  const std::string call = "torch._native_multi_head_attention(a, a, a, 8, 2, b, c, d, e, None, ";
  ExpectSameWithoutFallback({
      {inputs, call + "False)"},
      {inputs, call + "True, True)"},
      {inputs, call + "True, False)"},
      {{"f32[2,5,8]:t", "f32[24,8]", "f32[24]", "f32[8,8]", "f32[8]"}, call + "False)"},
  });
  ExpectBothThrow({{inputs, "torch._native_multi_head_attention(a, a, a, 6, 2, b, c, d, e)"}});
}

TEST(AttentionKernels, EncoderLayer) {
  const std::vector<std::string> inputs = {"f32[2,5,8]", "f32[24,8]", "f32[24]", "f32[8,8]", "f32[8]"};
  ExpectSameWithoutFallback(
      {{inputs,
        "torch._transformer_encoder_layer_fwd(a, 8, 2, b, c, d, e, True, False, 1e-5, e, e, e, e, d, "
        "e, d, e)"}});
}

TEST(AttentionKernels, MaskedSoftmax) {
  ExpectSameWithoutFallback({{{"f32[2,2,5,5]", "bool[2,2,5,5]"}, "torch._masked_softmax(a, b, 3, 2)"}});
}

TEST(AttentionKernels, ScaledDotProduct) {
  const std::string call = "torch.scaled_dot_product_attention(a, b, b";
  std::vector<Row> rows;
  for (const std::string& query : {"f32[2,4,5,8]", "f32[2,4,5,8]:g", "f32[2,4,5,8]:cl", "bf16[2,4,5,8]"}) {
    const std::string key = query.substr(0, query.find('[')) + "[2,4,7,8]";
    for (const std::string& rest : {")", ", None, 0.0, True)", ", None, 0.0, False, scale=0.5)"})
      rows.push_back({{query, key}, call + rest});
  }
  rows.push_back({{"f32[2,4,5,8]", "f32[2,4,7,8]", "f32[5,7]"}, call + ", c)"});
  rows.push_back({{"f32[2,4,5,8]:g", "f32[2,4,7,8]", "f32[5,7]:g"}, call + ", c)"});
  rows.push_back({{"f32[2,4,5,8]", "f32[2,4,7,8]", "bool[5,7]"}, call + ", c)"});
  rows.push_back({{"f32[2,4,5,8]", "f32[2,2,7,8]"}, call + ", None, 0.0, False, enable_gqa=True)"});
  rows.push_back({{"f32[4,5,8]", "f32[4,7,8]"}, call + ")"});
  rows.push_back({{"f64[2,4,5,8]", "f64[2,4,7,8]"}, call + ")"});
  ExpectSameWithoutFallback(rows);
}

TEST(AttentionKernels, FlashAttentionAndItsBackward) {
  const std::string forward = "torch._scaled_dot_product_flash_attention_for_cpu(a, b, b)";
  const std::string backward =
      "torch._scaled_dot_product_flash_attention_for_cpu_backward(a, a, b, b, a, c, 0.0, False)";
  ExpectSameWithoutFallback({
      {{"f32[2,4,5,8]", "f32[2,4,7,8]"}, forward},
      {{"bf16[2,4,5,8]:t", "bf16[2,4,7,8]"}, forward},
      {{"f64[2,4,5,8]:step", "f64[2,4,7,8]"}, forward},
      {{"f32[2,4,5,8]", "f32[2,4,7,8]", "f32[2,4,5]"}, backward},
      {{"f32[2,4,5,8]:cl", "f32[2,4,7,8]:t", "f32[2,4,5]"}, backward},
      {{"bf16[2,4,5,8]", "bf16[2,4,7,8]", "f32[2,4,5]"}, backward},
  });
  ExpectBothThrow({{{"f32[2,4,5,8]", "f32[2,4,7,6]"}, forward}, {{"f32[4,5,8]", "f32[4,7,8]"}, forward}});
}

}  // namespace
}  // namespace culprit::graph::fake
