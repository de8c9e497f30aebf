// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectSameWithoutFallback;

TEST(ConvolutionKernels, ResultsHaveTheFormatThatTheChosenBackendComputesIn) {
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

TEST(ConvolutionKernels, GradientsHaveTheFormatThatTheChosenBackendComputesIn) {
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

}  // namespace
}  // namespace culprit::graph::fake
