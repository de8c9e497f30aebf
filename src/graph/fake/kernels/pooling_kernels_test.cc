// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(PoolingKernels, Poolings) {
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

TEST(PoolingKernels, Volumes) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,8,8,8]", "f32[2,3,8,8,8]:cl3", "f32[3,8,8,8]"},
               {"torch.adaptive_avg_pool3d(a, [3, 2, 4])", "torch._adaptive_avg_pool3d_backward(a, a)",
                "torch.max_pool3d_with_indices(a, [3, 3, 3], [2, 2, 2], [1, 1, 1])",
                "torch.max_pool3d_with_indices(a, [2], ceil_mode=True)", "torch.max_pool3d(a, [3], [2])"}));
  const std::string backward = "torch.max_pool3d_with_indices_backward(b, a, [2], [2], [0], [1], False, c)";
  ExpectSameWithoutFallback({
      {{"f32[2,3,8,8,8]", "f32[2,3,4,4,4]", "i64[2,3,4,4,4]"}, backward},
      {{"f32[2,3,8,8,8]:cl3", "f32[2,3,4,4,4]", "i64[2,3,4,4,4]"}, backward},
      {{"f32[3,8,8,8]", "f32[3,4,4,4]", "i64[3,4,4,4]"}, backward},
  });
  ExpectBothThrow({{{"f32[3,8,8,8]:cl"}, "torch.max_pool3d(a, [3], [2])"}});
}

}  // namespace
}  // namespace culprit::graph::fake
