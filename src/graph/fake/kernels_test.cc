// SPDX-License-Identifier: Apache-2.0
//
// Every Meta kernel of ours against the CPU kernel: geometry, dtype, aliasing and gradness of all results.
#include "graph/fake/kernels.h"

#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::Row;

void ExpectSameWithoutFallback(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    World world;
    const std::string real = tests::RunReal(row.inputs, row.expression);
    EXPECT_NE(real, "throws\n") << row;
    EXPECT_EQ(tests::RunFake(world, row.inputs, row.expression), real) << row;
    EXPECT_TRUE(world.fallbacks().empty()) << row << ": " << world.fallbacks().begin()->first;
  }
}

TEST(Kernels, ConvolutionsKeepTheFormatThatTheChosenBackendComputesIn) {
  ExpectSameWithoutFallback({
      {{"f32[1,3,8,8]", "f32[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f32[2,3,32,32]:g", "f32[4,3,3,3]", "f32[4]:g"}, "torch.conv2d(a, b, c, 2, 1)"},
      {{"f32[2,3,32,32]:cl", "f32[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f32[2,3,32,32]", "f32[4,3,3,3]:cl"}, "torch.conv2d(a, b)"},
      {{"f32[1,3,8,8]:cl", "f32[4,3,1,1]"}, "torch.conv2d(a, b)"},
      {{"f32[2,4,8,8]:cl", "f32[4,1,3,3]"}, "torch.conv2d(a, b, groups=4)"},
      {{"f32[1,4,8,8]", "f32[8,2,3,3]:cl"}, "torch.conv2d(a, b, groups=2)"},
      {{"f64[2,3,8,8]:cl", "f64[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f64[2,4,8,8]:cl", "f64[4,2,3,3]"}, "torch.conv2d(a, b, groups=2)"},
      {{"f64[2,3,9,9]:cl", "f64[4,3,3,3]"}, "torch.conv2d(a, b, dilation=2)"},
      {{"f32[1,3,9,9]:cl", "f32[4,3,3,3]"}, "torch.conv2d(a, b, dilation=2)"},
      {{"bf16[2,3,8,8]:cl", "bf16[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f32[3,8,8]", "f32[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f32[0,3,8,8]", "f32[4,3,3,3]"}, "torch.conv2d(a, b)"},
      {{"f32[0,3,8,8]:cl", "f32[4,3,3,3]:g"}, "torch.conv2d(a, b)"},
      {{"f32[2,3,16]", "f32[4,3,3]"}, "torch.conv1d(a, b, padding=1)"},
      {{"f32[2,3,16]:t", "f32[4,3,1]:t"}, "torch.conv1d(a, b)"},
      {{"f64[2,3,16]", "f64[4,3,3]"}, "torch.conv1d(a, b, padding=1)"},
      {{"f32[2,3,5,6,7]", "f32[4,3,3,3,3]"}, "torch.conv3d(a, b)"},
      {{"f64[2,3,5,6,7]", "f64[4,3,3,3,3]"}, "torch.conv3d(a, b)"},
      {{"f32[2,3,8,8]:cl", "f32[3,4,3,3]"}, "torch.conv_transpose2d(a, b, None, 2, 1, 1)"},
      {{"f32[2,4,8,8]", "f32[4,4,3,3]:cl"}, "torch.conv_transpose2d(a, b, groups=2)"},
      {{"f64[2,3,16]", "f64[3,4,3]"}, "torch.conv_transpose1d(a, b)"},
      {{"f32[2,3,4,5,6]", "f32[3,4,3,3,3]"}, "torch.conv_transpose3d(a, b)"},
  });
}

TEST(Kernels, ConvolutionBackward) {
  const std::string call = "torch.convolution_backward(a, b, c, [4], [1,1], [1,1], [1,1], False, [0,0], 1, ";
  ExpectSameWithoutFallback({
      {{"f32[2,4,8,8]", "f32[2,3,8,8]", "f32[4,3,3,3]"}, call + "[True, True, True])"},
      {{"f32[2,4,8,8]", "f32[2,3,8,8]", "f32[4,3,3,3]"}, call + "[False, True, False])"},
      {{"f32[2,4,8,8]:cl", "f32[2,3,8,8]:cl", "f32[4,3,3,3]"}, call + "[True, True, True])"},
      {{"f32[2,4,8,8]", "f32[2,3,8,8]", "f32[4,3,3,3]:cl"}, call + "[True, True, False])"},
      {{"f64[2,4,8,8]:cl", "f64[2,3,8,8]:cl", "f64[4,3,3,3]"}, call + "[True, True, True])"},
      {{"f64[2,4,8,8]", "f64[2,3,8,8]", "f64[4,3,3,3]"}, call + "[True, True, True])"},
      {{"f32[2,4,10,10]:cl", "f32[2,3,8,8]:cl", "f32[4,3,1,1]:cl"}, call + "[True, True, True])"},
      {{"f32[1,4,10,10]:cl", "f32[1,3,8,8]:cl", "f32[4,3,1,1]:cl"}, call + "[True, True, True])"},
      {{"f64[2,4,10,10]:cl", "f64[2,3,8,8]:cl", "f64[4,3,1,1]:cl"}, call + "[True, True, True])"},
      {{"f64[1,4,10,10]", "f64[1,3,8,8]", "f64[4,3,1,1]:cl"}, call + "[True, True, True])"},
      {{"f32[2,4,8]", "f32[2,3,8]", "f32[4,3,3]"},
       "torch.convolution_backward(a, b, c, [4], [1], [1], [1], False, [0], 1, [True, True, True])"},
  });
}

TEST(Kernels, BatchNorm) {
  const std::string eval = "torch.batch_norm(a, b, c, d, e, False, 0.1, 1e-5, True)";
  const std::string train = "torch.batch_norm(a, b, c, d, e, True, 0.1, 1e-5, True)";
  const std::string native = "torch.native_batch_norm(a, b, c, d, e, ";
  std::vector<Row> rows;
  for (const std::string& image :
       {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:g", "f32[2,4]", "f32[2,4,5]", "f32[2,4,5]:t",
        "f32[2,4,5,5]:t", "f32[2,4,2,3,3]", "f32[2,4,5,6]:step"}) {
    for (const std::string& call : {eval, train, native + "True, 0.1, 1e-5)", native + "False, 0.1, 1e-5)"}) {
      rows.push_back({{image, "f32[4]:g", "f32[4]", "f32[4]", "f32[4]"}, call});
    }
  }
  rows.push_back({{"bf16[2,4,5,5]:cl", "f32[4]", "f32[4]", "f32[4]", "f32[4]"}, native + "True, 0.1, 1e-5)"});
  rows.push_back(
      {{"bf16[2,4,5,5]", "bf16[4]", "bf16[4]", "bf16[4]", "bf16[4]"}, native + "True, 0.1, 1e-5)"});
  rows.push_back({{"f64[2,4,5,5]", "f64[4]", "f64[4]", "f64[4]", "f64[4]"}, train});
  rows.push_back({{"f32[2,4,5,5]"}, "torch.native_batch_norm(a, None, None, None, None, True, 0.1, 1e-5)"});
  rows.push_back(
      {{"bf16[2,4,5,5]:cl"}, "torch.native_batch_norm(a, None, None, None, None, True, 0.1, 1e-5)"});
  ExpectSameWithoutFallback(rows);
}

TEST(Kernels, BatchNormBackward) {
  const std::string call = "torch.native_batch_norm_backward(a, b, c, c, c, c, c, ";
  std::vector<Row> rows;
  for (const std::string& grad : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:t"}) {
    for (const std::string& image : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:t"}) {
      rows.push_back({{grad, image, "f32[4]"}, call + "True, 1e-5, [True, True, True])"});
      rows.push_back({{grad, image, "f32[4]"}, call + "False, 1e-5, [True, False, True])"});
    }
  }
  rows.push_back(
      {{"f32[2,4,5,5]", "f32[2,4,5,5]", "f32[4]"},
       "torch.native_batch_norm_backward(a, b, None, c, c, c, c, True, 1e-5, [True, True, True])"});
  ExpectSameWithoutFallback(rows);
}

TEST(Kernels, LayerNorm) {
  ExpectSameWithoutFallback({
      {{"f32[2,5,4]", "f32[4]:g", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]:t", "f32[4]", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]"}, "torch.native_layer_norm(a, [5, 4], None, None, 1e-5)"},
      {{"f32[2,4,5,5]:cl", "f32[5,5]", "f32[5,5]"}, "torch.layer_norm(a, [5, 5], b, c, 1e-5)"},
      {{"bf16[2,5,4]", "bf16[4]", "bf16[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[0,4]", "f32[4]", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]", "f32[2,5,1]", "f32[4]"},
       "torch.native_layer_norm_backward(a, a, [4], b, b, c, c, [True, True, True])"},
      {{"f32[2,5,4]:t", "f32[2,5,1]", "f32[4]"},
       "torch.native_layer_norm_backward(a, a, [4], b, b, c, c, [True, False, True])"},
  });
}

TEST(Kernels, Poolings) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,8,8]"}, "torch.adaptive_avg_pool2d(a, [3, 2])"},
      {{"f32[2,3,8,8]:cl:g"}, "torch.adaptive_avg_pool2d(a, [3, 2])"},
      {{"f32[2,3,8,8]:cl"}, "torch.adaptive_avg_pool2d(a, [1, 1])"},
      {{"f32[2,3,8,8]:t"}, "torch.adaptive_avg_pool2d(a, [7, 7])"},
      {{"f32[3,8,8]"}, "torch.adaptive_avg_pool2d(a, [3, 2])"},
      {{"f32[2,3,3,2]", "f32[2,3,8,8]"}, "torch._adaptive_avg_pool2d_backward(a, b)"},
      {{"f32[2,3,3,2]:cl", "f32[2,3,8,8]"}, "torch._adaptive_avg_pool2d_backward(a, b)"},
      {{"f32[2,3,3,2]", "f32[2,3,8,8]:cl"}, "torch._adaptive_avg_pool2d_backward(a, b)"},
  });
}

TEST(Kernels, Activations) {
  std::vector<Row> rows;
  for (const std::string& image :
       {"f32[2,3,8,8]", "f32[2,3,8,8]:cl:g", "f64[]", "f32[0,2]", "f32[2,3,4]:t", "f32[2,3,4]:step"}) {
    for (const std::string& call :
         {"torch.relu(a)", "torch.relu_(a * 1)", "torch.hardtanh(a, 0, 6)", "torch.hardswish(a)",
          "torch.hardtanh_backward(a, a, 0, 6)", "torch.hardswish_backward(a, a)"}) {
      rows.push_back({{image}, call});
    }
  }
  rows.push_back({{"i32[4]"}, "torch.relu(a)"});
  rows.push_back({{"bf16[4]"}, "torch.hardswish(a)"});
  ExpectSameWithoutFallback(rows);
}

}  // namespace
}  // namespace culprit::graph::fake
