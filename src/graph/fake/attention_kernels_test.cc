// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

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

}  // namespace
}  // namespace culprit::graph::fake
