// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;
using tests::Row;

TEST(LossKernels, PointwiseLosses) {
  const std::vector<std::vector<std::string>> pairs = {{"f32[2,3]:g", "f32[2,3]"},
                                                       {"f32[2,3,4,5]:cl", "f32[2,3,4,5]:cl"},
                                                       {"f64[2,3]:t", "f64[2,3]"},
                                                       {"f32[]", "f32[]"},
                                                       {"f32[2,3]:step", "f32[2,3]"}};
  std::vector<Row> rows;
  for (const auto& pair : pairs) {
    for (const std::string& reduction : {"0", "1", "2"}) {
      for (const std::string& loss :
           {"torch.huber_loss(a, b, ", "torch.mse_loss(a, b, ", "torch.binary_cross_entropy(a, b, None, ",
            "torch.mse_loss_backward(a.detach(), a, b, ", "torch.smooth_l1_loss(a, b, ",
            "torch.binary_cross_entropy_backward(a.detach(), a, b, None, "}) {
        rows.push_back({pair, loss + reduction + ")"});
      }
    }
  }
  ExpectSameWithoutFallback(rows);
}

TEST(LossKernels, CrossEntropies) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]:g", "i64[2]"}, "torch.cross_entropy_loss(a, b)"},
      {{"f32[2,3,4,5]:g", "i64[2,4,5]"}, "torch.cross_entropy_loss(a, b)"},
      {{"f32[2,3,4,5]:cl", "i64[2,4,5]"}, "torch.cross_entropy_loss(a, b, None, 0)"},
      {{"f32[2,3,4,5]:cl", "i64[2,4,5]", "f32[3]"}, "torch.nll_loss2d_forward(a, b, c, 1, -100)"},
      {{"f32[2,3,4,5]", "i64[2,4,5]", "f32[]"}, "torch.nll_loss2d_backward(c, a, b, None, 1, -100, c)"},
      {{"f32[2,3]", "f32[2,3]:t"}, "torch.cross_entropy_loss(a, b, None, 1, -100, 0.1)"},
  });
  ExpectBothThrow(
      {{{"f32[2,3,4,5]", "i64[2,4,4]"}, "torch.nll_loss2d_forward(a, b, None, 1, -100)"},
       {{"f32[2,3,4,5]:cl", "i64[2,4,5]", "f32[]"}, "torch.nll_loss2d_backward(c, a, b, None, 1, -100, c)"}});
}

}  // namespace
}  // namespace culprit::graph::fake
