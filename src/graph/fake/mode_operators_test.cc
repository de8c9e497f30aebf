// SPDX-License-Identifier: Apache-2.0
//
// Operators that libtorch has Meta kernels for: do these give what the CPU kernels give?
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectSameWithoutFallback;

const std::vector<std::string> kImages = {"f32[2,4,6,6]",      "f32[2,4,6,6]:cl",   "f32[2,4,6,6]:t",
                                          "f32[2,4,6,6]:step", "f64[2,4,6,6]:cl:g", "f32[0,4,6,6]"};

TEST(ModeOperators, Pointwise) {
  ExpectSameWithoutFallback(EachWith(kImages, {"a + 1",
                                               "a * a.contiguous()",
                                               "a.sigmoid()",
                                               "a.gelu()",
                                               "torch.silu(a)",
                                               "torch.hardsigmoid(a)",
                                               "torch.leaky_relu(a)",
                                               "torch.elu(a)",
                                               "torch.softplus(a)",
                                               "torch.clamp(a, 0, 6)",
                                               "torch.clamp_max(a, 1)",
                                               "a.exp().log().sqrt().rsqrt().neg().abs()",
                                               "a.pow(2)",
                                               "2 ** a",
                                               "1 / a",
                                               "1 - a",
                                               "a > 0",
                                               "a.eq(a)",
                                               "(a > 0).logical_not()",
                                               "torch.lerp(a, a, 0.5)",
                                               "torch.addcmul(a, a, a)",
                                               "torch.maximum(a, a.t() if a.dim() == 2 else a)",
                                               "a.masked_fill(a > 0, 0)",
                                               "torch.threshold(a, 0, 0)",
                                               "a.tanh().sin().cos().floor().round().trunc().sign()",
                                               "a.to(7)",
                                               "a.half()",
                                               "a.int()",
                                               "torch.nan_to_num(a)",
                                               "torch.mish(a)",
                                               "torch.atan2(a, a)",
                                               "torch.fmod(a, 2)",
                                               "a.clone()",
                                               "a.contiguous(memory_format=2)",
                                               "torch.zeros_like(a)",
                                               "a.new_full([2, 3], 1.5)",
                                               "torch.cumsum(a, 1)",
                                               "torch.tril(a)",
                                               "torch.isinf(a)",
                                               "a.isfinite()"}));
}

TEST(ModeOperators, Poolings) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,4,6,6]", "f32[2,4,6,6]:cl", "f32[2,4,6,6]:t", "f64[2,4,6,6]:cl:g"},
               {"torch.max_pool2d(a, [3, 3], [2, 2], [1, 1])", "torch.max_pool2d(a, [2], ceil_mode=True)",
                "torch.max_pool2d_with_indices(a, [2, 2])", "torch.avg_pool2d(a, [3, 3], [1, 1], [1, 1])",
                "torch.adaptive_max_pool2d(a, [2, 2])", "torch.adaptive_avg_pool2d(a, [1, 1])",
                "a.mean([2, 3])", "a.mean([2, 3], True)"}));
}

TEST(ModeOperators, Reductions) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,4,6,6]", "f32[2,4,6,6]:cl", "f32[2,4,6,6]:t:g", "f64[2,4,6,6]:step", "f32[2,4,0,6]"},
      {"a.sum()", "a.sum([1, 3])", "a.sum([1], True)", "a.mean()", "torch.softmax(a, 1)",
       "torch.log_softmax(a, -1)", "torch.logsumexp(a, [1])", "torch.norm(a)", "torch.norm(a, 2, [1], True)",
       "torch.all(a > 0)", "torch.any(a > 0, 1)", "torch.amax(a, [1])", "a.sum([0], dtype=7)"}));
}

TEST(ModeOperators, Joining) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,4,4]", "f32[2,5,4,4]"}, "torch.cat([a, b], 1)"},
      {{"f32[2,3,4,4]:cl", "f32[2,5,4,4]:cl"}, "torch.cat([a, b], 1)"},
      {{"f32[2,3,4,4]:cl", "f32[2,5,4,4]"}, "torch.cat([a, b], 1)"},
      {{"f32[2,3,4,4]:g", "f64[2,5,4,4]"}, "torch.cat([a, b], 1)"},
      {{"f32[2,3]", "f32[0]"}, "torch.cat([a, b], 0)"},
      {{"f32[2,3]:t", "f32[2,3]:t"}, "torch.stack([a, b], 1)"},
      {{"f32[2,3]"}, "torch.hstack([a, a])"},
      {{"f32[2,3,4,4]:cl"}, "a.repeat(1, 2, 1, 1)"},
      {{"f32[2,3]"}, "torch.meshgrid([a.view(6), a.view(6)])"},
      {{"f32[2,6,4,4]:cl"}, "torch.cat(a.chunk(2, 1), 0)"},
  });
}

TEST(ModeOperators, Products) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]", "f32[3,4]"}, "a @ b"},
      {{"f32[2,3]:t", "f32[3,4]:t:g"}, "torch.mm(a, b)"},
      {{"f32[5,2,3]", "f32[5,3,4]:t"}, "torch.bmm(a, b)"},
      {{"f32[5,2,3]", "f32[3,4]"}, "torch.matmul(a, b)"},
      {{"f32[5,2,3]:t", "f32[3]"}, "torch.matmul(a, b)"},
      {{"f32[4]", "f32[2,3]", "f32[3,4]"}, "torch.addmm(a, b, c)"},
      {{"f32[5,2,4]", "f32[5,2,3]", "f32[5,3,4]"}, "torch.baddbmm(a, b, c)"},
      {{"f32[5,2,3]", "f32[4,3]:g", "f32[4]:g"}, "torch.linear(a, b, c)"},
      {{"f32[2,3]:t", "f32[4,3]"}, "torch.linear(a, b)"},
      {{"f32[2,3]", "f32[3]"}, "torch.mv(a, b)"},
      {{"f32[2,3]", "f32[4,3]"}, "torch.einsum('ij,kj->ik', [a, b])"},
      {{"f32[3]", "f32[4]"}, "torch.outer(a, b)"},
      {{"bf16[2,3]", "bf16[3,4]"}, "a @ b"},
      {{"f32[2,3,4,4]:cl", "f32[4,4]"}, "a @ b"},
  });
}

TEST(ModeOperators, FormsOfConvolution) {
  const std::string flags = "[1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True";
  ExpectSameWithoutFallback({
      {{"f32[2,3,8,8]:cl", "f32[4,3,3,3]:g"}, "torch._convolution(a, b, None, " + flags + ", True)"},
      {{"f32[2,3,8,8]", "f32[4,3,3,3]:g"}, "torch._convolution(a, b, None, " + flags + ")"},
      {{"f32[2,3,8,8]", "f32[4,3,3,3]"}, "torch.conv2d(a, b, None, [1, 1], 'same', [1, 1], 1)"},
      {{"f32[2,3,8,8]", "f32[4,3,4,4]"}, "torch.conv2d(a, b, None, [1, 1], 'same', [1, 1], 1)"},
      {{"f32[2,3,8,8]", "f32[4,3,3,3]"}, "torch.conv2d(a, b, None, [2, 2], 'valid', [1, 1], 1)"},
  });
}

const std::vector<tests::Row> kLstms = {
    {{"f32[5,2,3]", "f32[1,2,4]", "f32[16,3]:g", "f32[16,4]:g", "f32[16]"},
     "torch.lstm(a, [b, b], [c, d, e, e], True, 1, 0.0, False, False, False)"},
    {{"f32[5,2,3]", "f32[1,2,4]", "f32[16,3]:g", "f32[16,4]:g", "f32[16]"},
     "torch.lstm(a, [b, b], [c, d, e, e], True, 1, 0.0, True, False, False)"},
    {{"f32[2,5,3]", "f32[2,2,4]", "f32[16,3]", "f32[16,4]", "f32[16]"},
     "torch.lstm(a, [b, b], [c, d, e, e, c, d, e, e], True, 1, 0.0, False, True, True)"},
};

TEST(ModeOperators, LstmsAskOneDnnWhereThereAreGradients) {
  for (const tests::Row& row : kLstms) {
    World world;
    EXPECT_EQ(tests::RunFake(row, world), tests::RunReal(row)) << row;
    ASSERT_EQ(world.fallbacks().size(), 1);
    EXPECT_EQ(world.fallbacks().begin()->first, "aten::mkldnn_rnn_layer");
  }
  const c10::NoGradGuard no_gradients;
  ExpectSameWithoutFallback(kLstms);
  ExpectSameWithoutFallback({{{"f64[5,2,3]", "f64[1,2,4]", "f64[16,3]", "f64[16,4]", "f64[16]"},
                              "torch.lstm(a, [b, b], [c, d, e, e], True, 1, 0.0, False, False, False)"}});
}

TEST(ModeOperators, RecurrentNetworks) {
  ExpectSameWithoutFallback({
      {{"f32[5,2,3]", "f32[1,2,4]", "f32[12,3]", "f32[12,4]", "f32[12]"},
       "torch.gru(a, b, [c, d, e, e], True, 1, 0.0, False, False, False)"},
      {{"f32[5,2,3]", "f32[1,2,4]", "f32[4,3]", "f32[4,4]", "f32[4]"},
       "torch.rnn_tanh(a, b, [c, d, e, e], True, 1, 0.0, False, False, False)"},
      {{"f32[2,3]", "f32[2,4]", "f32[16,3]", "f32[16,4]"}, "torch.lstm_cell(a, [b, b], c, d)"},
  });
}

TEST(ModeOperators, OthersThatAreMadeOfMany) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]", "f32[2,3]"}, "torch.cosine_similarity(a, b)"},
      {{"f32[2,3,4,4]:cl"}, "torch.instance_norm(a, None, None, None, None, True, 0.1, 1e-5, True)"},
      {{"f32[2,3]", "f32[2,4]", "f32[5,3,4]"}, "torch.bilinear(a, b, c)"},
      {{"f32[4,4]"}, "torch.linalg_norm(a)"},
      {{"f32[1,1]:g"}, "torch.linalg_inv(a)"},
      {{"f32[2,3]:t", "f32[2]", "f32[3]"}, "torch.addr(a, b, c)"},
      {{"f32[2,3,4,5]:cl"}, "torch.mish_backward(a, a)"},
      {{"f32[2,3]:t"}, "torch.stack([a, a], -1)"},
      {{"f32[2,3]"}, "torch.broadcast_tensors([a, a[0]])"},
      {{"f32[8]"}, "torch.std(a.unfold(0, 2, 2), [1], True)"},
  });
}

TEST(ModeOperators, OnesOfPyTorch2) {
  ExpectSameWithoutFallback(EachWith(
      kImages,
      {"torch.squeeze(a[:, :1, :1], [1, 2])", "torch.squeeze(a[:, :1], [1, -2])", "torch.any(a, [1, 2])",
       "torch.all(a, [-1], True)", "torch._is_all_true(a > 0)", "torch._is_any_true(a > 0)",
       "torch._safe_softmax(a, -1)", "torch._reshape_copy(a, [-1])", "torch._lazy_clone(a)",
       "torch.var(a, [1], correction=0.5)", "torch.std(a, correction=0)",
       "torch.var_mean(a, [1, 2], correction=2)", "torch.std_mean(a, correction=0, keepdim=True)",
       "torch.nonzero_static(a, size=5)", "torch.rrelu_with_noise_functional(a, a, 0.1, 0.3, True)"}));
  ExpectSameWithoutFallback({
      {{"f32[0]"}, "torch.empty_permuted([2, 3, 4], [2, 0, 1])"},
      {{"f32[5,6]", "i64[3]"}, "torch._unsafe_index(a, [b])"},
      {{"f32[5,6]", "i64[3]", "f32[3,6]"}, "torch._unsafe_index_put(a, [b], c)"},
      {{"f32[5,6]", "i64[3]", "bool[3]"},
       "i: List[Optional[Tensor]] = [b, b]\n  return torch._unsafe_masked_index(a, c, i, 0)"},
      {{"f32[5,6]", "i64[3]", "bool[3]", "f32[3]"},
       "i: List[Optional[Tensor]] = [b, b]\n"
       "  return torch._unsafe_masked_index_put_accumulate(a, c, i, d)"},
      {{"i8[4,8]", "i8[8,6]"}, "torch._int_mm(a, b)"},
      {{"i8[4,8]:t", "i8[8,6]:t"}, "torch._int_mm(a, b)"},
      {{"f32[2]"}, "torch._assert_tensor_metadata(a, [2], [1], 6, device='cpu', layout=0)"},
      {{"f32[2]"}, "torch._assert_scalar(1, 'text')"},
      {{"f32[]"}, "torch._functional_assert_scalar(1, 'text', a)"},
      {{"f32[]"}, "torch._functional_sym_constrain_range(3, 1, 4, a)"},
      {{"f32[]"}, "torch._functional_sym_constrain_range_for_size(3, 2, 4, a)"},
  });
}

TEST(ModeOperators, Copies) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]", "f64[2,3]:t"}, "a.copy_(b)"},
      {{"f32[2,3]", "i64[3]"}, "a.copy_(b)"},
      {{"f32[2,3,4,4]:cl"}, "a.permute(0, 2, 3, 1)"},
      {{"f32[2,3,4,4]"}, "a.permute(0, 2, 3, 1).contiguous()"},
      {{"f32[2,3,4,4]:cl"}, "a.flatten(1)"},
      {{"f32[2,3,4,4]:cl"}, "a.flatten(2).transpose(1, 2)"},
      {{"f32[2,3,4,4]"}, "a.unfold(2, 2, 1)"},
      {{"f32[2,3]"}, "a.to(6, copy=True)"},
      {{"f32[2,3]", "f64[1]"}, "a.type_as(b)"},
      {{"f32[2,3]:g"}, "a.detach().clone().requires_grad_(True)"},
      {{"f32[2,3]"}, "a[None, ..., :2, None]"},
      {{"f32[2,3]"}, "torch.movedim(a, 0, 1)"},
  });
}

}  // namespace
}  // namespace culprit::graph::fake
