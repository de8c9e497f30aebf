// SPDX-License-Identifier: Apache-2.0
//
// What docs/sizes.md says: which programs keep symbols, and what fixes a size.
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/captured_function.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using testing::Contains;
using testing::HasSubstr;
using tests::CapturedFunction;

/// The body of a function of x.
std::string Function(const std::string& body) {
  return "def f(x: Tensor):\n  " + body + "\n";
}

/// Calls with images of several sizes, all of which differ, some of them far from those that graphs are made
/// from. The results are those of libtorch.
void CallAll(CapturedFunction& f) {
  for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{{4, 6, 16, 20},
                                                                             {5, 6, 18, 22},
                                                                             {8, 6, 12, 14},
                                                                             {3, 6, 32, 10},
                                                                             {6, 6, 10, 36},
                                                                             {70, 6, 9, 11},
                                                                             {2, 6, 100, 47}}) {
    const at::Tensor x = at::randn(sizes).abs();
    const IValue expected = f.AsWritten({x});
    const IValue actual = f({x});
    if (!expected.isTensor()) {
      EXPECT_EQ(actual, expected);
      continue;
    }
    EXPECT_EQ(actual.toTensor().sizes(), expected.toTensor().sizes());
    EXPECT_TRUE(actual.toTensor().equal(expected.toTensor()));
  }
}

class KeptSymbolsTest : public testing::TestWithParam<const char*> {};

TEST_P(KeptSymbolsTest, TwoGraphsAreEnough) {
  CapturedFunction f(Function(GetParam()).c_str());
  CallAll(f);
  EXPECT_EQ(f.program().segments().size(), 2) << testing::PrintToString(f.log());
  EXPECT_TRUE(f.warnings().empty()) << testing::PrintToString(f.warnings());
}

constexpr const char* kKept[] = {
    // Sizes and arithmetic.
    "return x.numel() + x.size(0) * 2 - x.size(1)",
    "return x.shape",
    "return x.view([x.shape[0], -1]).sum(1)",
    "return x.reshape([x.size(0) * x.size(1), x.size(2) * x.size(3)])",
    "return x[:, :, :x.size(2) // 2, -(x.size(3) % 7):]",
    "return x.view([max(x.size(0), 2), -1])",
    "n = [x.size(0), x.size(1)]\n  n.append(-1)\n  return x.view(n)",
    "h, w = x.size(2), x.size(3)\n  return x.mean() * h + w",
    "return x[:min(x.size(0), 20)]",
    "return x[:x.size(0) % 16]",
    "return x[max(x.size(0) - 4, 0):]",
    "return x[:20].sum() / x[:20].size(0)",
    "y = x[:, :, ::3]\n  return y * y.size(2)",
    "y = x[:, :, -16:]\n  if y.size(2) > 4:\n    y = y + 1\n  return y",
    "pad = (16 - x.size(3) % 16) % 16\n  return torch.constant_pad_nd(x, [0, pad], 0.)",
    "return x.sum() / float(x.size(0))",
    "if x.size(0) > 1 and x.dim() == 4:\n    x = x * 2\n  return x",
    // The same arithmetic on tensors, as traces have it.
    "n = torch.tensor(x.size(0))\n  return x.view([int(n * x.size(1)), -1])",
    "n = torch.tensor(x.size(2)) // 2\n  return x[:, :, :int(n + 1)]",
    "n = torch.tensor(x.size(3))\n  p = (16 - n % 16) % 16\n  return torch.constant_pad_nd(x, [0, int(p)])",
    "n = torch.tensor(x.size(0))\n  n += 3\n  n.mul_(2)\n  return torch.zeros([int(n)]) + x.sum()",
    "s = torch._shape_as_tensor(x)\n  return x.view([int(s[0] * s[1]), int(s[2:].prod())])",
    "s = torch.stack([torch.tensor(x.size(0)), torch.tensor(6)])\n  return x.view([int(s[1] * s[0]), -1])",
    "s = torch.tensor([x.size(2), x.size(3)]) * 2\n  return torch.zeros([int(s[0]), int(s[1])]) + x.sum()",
    "n = torch.tensor(x.size(0))\n  if bool(n > 1):\n    x = x * 2\n  return x",
    "n = torch.div(torch.tensor(x.size(2)), 3, rounding_mode='floor')\n  return x[:, :, int(n):]",
    // Where the tensor itself is used.
    "return x * torch.tensor(x.size(0)) + torch.tensor([x.size(3), 1]).sum()",
    "return torch.tensor([x.size(0), x.size(2) * x.size(3)])",
    "n = torch.tensor(x.size(0)).to(6)\n  return x / n",
    // Elementwise, reductions, norms, losses.
    "return torch.softmax(torch.relu(x) * 2 + x.mean([2, 3], True), 1)",
    "return torch.layer_norm(x.permute([0, 2, 3, 1]), [6]).argmax(-1)",
    "return torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False)",
    "return torch.group_norm(x, 2)",
    "return torch.mse_loss(x, x * 0.5)",
    "return x.cumsum(0).amax([1, 2])",
    "return torch.var(x, [0, 2, 3], False)",
    "return torch.dropout(x, 0.5, False)",
    // Matrices.
    "y = x.flatten(2)\n  return torch.bmm(y, y.transpose(1, 2))",
    "return torch.matmul(x, x.transpose(2, 3))",
    "return torch.einsum('bchw,bdhw->bcd', [x, x])",
    "return torch.linear(x.permute([0, 2, 3, 1]), torch.ones([5, 6]))",
    "y = x.flatten(2)\n  return torch.baddbmm(torch.zeros([1]), y, y.transpose(1, 2))",
    // Windows.
    "return torch.conv2d(x, torch.ones([2, 6, 3, 3]), None, [2, 2], [1, 1])",
    "return torch.max_pool2d(x, [2, 2])",
    "return torch.avg_pool2d(x, [3, 3], [2, 2], [1, 1])",
    "return torch.adaptive_avg_pool2d(x, [1, 1])",
    "return torch.upsample_nearest2d(x, [x.size(2) * 2, x.size(3) * 2], None, None)",
    "return torch.upsample_bilinear2d(x, [7, 7], False, None, None)",
    "y = torch.max_pool2d(x, [2, 2])\n  if y.size(2) > 1:\n    y = y + 1\n  return y.view([y.size(0), -1])",
    // Views.
    "return x.flatten(1).unsqueeze(0).squeeze(0).transpose(0, 1)",
    "return x.mean([2, 3], True).expand([-1, -1, x.size(2), x.size(3)]).contiguous()",
    "a, b = x.chunk(2, 1)\n  return a * b",
    "a, b, c = torch.split(x, [1, 2, 3], 1)\n  return torch.cat([c, a, b], 1)",
    "return x.select(0, 0).narrow(1, 0, 3) + x[-1, :, :3]",
    "return x.repeat([2, 1, 1, 1])",
    // Indexing.
    "return x.index_select(0, torch.arange(x.size(0)))",
    "return x.gather(1, x.argmax(1, True))",
    "return torch.embedding(x.flatten(1), torch.arange(x.size(0)))",
    "return torch.where(x > 1, x, x * 0).masked_fill(x > 2, 0.)",
    "return x.tril()",
    // New tensors.
    "return x + torch.zeros([x.size(0), 1, 1, 1]) + torch.arange(x.size(3))",
    "return torch.full([x.size(0), x.size(2)], 2.) + torch.ones_like(x).sum()",
    "return x.new_zeros([x.size(0) + 1, 3])",
    // Several tensors.
    "return torch.cat([x, x], 0) + torch.stack([x, x]).flatten(0, 1)",
    "return torch.constant_pad_nd(x, [1, 1, 2, 2], 0.)",
    "return torch.constant_pad_nd(x, [0, x.size(2)], 0.)",
};

INSTANTIATE_TEST_SUITE_P(Programs, KeptSymbolsTest, testing::ValuesIn(kKept));

struct Fixing {
  std::string body;
  /// A part of what is said.
  std::string reason;
};

TEST(FixedSizesTest, WhatFixesASizeIsNamed) {
  for (const Fixing& fixing : std::vector<Fixing>{
           {"y = x\n  for i in range(x.size(0)):\n    y = y + i\n  return y", "x.size(0) is fixed to 5: "},
           {"y = x[0]\n  for part in x.unbind(0):\n    y = y + part\n  return y",
            "x.size(0) is fixed to 5: "},
           {"n = [1., 2., 3., 4., 5., 6., 7., 8., 9.]\n  return x * n[min(x.size(0), 8)]",
            "x.size(0) is fixed to 5: "},
           {"if float(x.size(0)) / 3. > 1.:\n    x = x * 2\n  return x", "x.size(0) is fixed to 5: "},
           {"return float(x.size(0)) * 0.5", "x.size(0) is fixed to 5: "},
           {"return x[:int(float(x.size(0)) * 0.95)]",
            "x.size(0) is fixed to 5: aten::slice.Tensor at <string>:2"},
           {"return x[:x.size(0) & 15]", "x.size(0) is fixed to 5: aten::slice.Tensor at <string>:2"},
           {"n = torch.tensor(x.size(0))\n  return x[:int(n.to(6) * 0.95)]",
            "x.size(0) is fixed to 5: aten::slice.Tensor at <string>:3"},
           {"n = torch.tensor(x.size(0))\n  t = torch.tensor([7, 8, 9, 7, 8, "
            "9, 7, 8, 9])\n  return x * int(torch.select(t, 0, int(torch.minimum(n, torch.tensor(8)))))",
            "x.size(0) is fixed to 5: "},
           {"y = x\n  for i in range(x.size(0)):\n    y = y + i\n  return y",
            "the program goes another way with other sizes, aten::lt at <string>:3"},
       }) {
    SCOPED_TRACE(fixing.body);
    CapturedFunction f(Function(fixing.body).c_str());
    CallAll(f);
    EXPECT_THAT(f.log(), Contains(HasSubstr(fixing.reason)));
    EXPECT_TRUE(f.warnings().empty()) << testing::PrintToString(f.warnings());
  }
}

}  // namespace
}  // namespace culprit::capture
