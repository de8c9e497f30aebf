// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectSameWithoutFallback;
using tests::Row;

TEST(ActivationKernels, Activations) {
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

TEST(ActivationKernels, Prelu) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,4,5]:g", "f32[3]:g"}, "torch.prelu(a, b)"},
      {{"f32[2,3,4,5]:cl", "f32[3]"}, "torch.prelu(a, b)"},
      {{"f32[2,3,4]", "f32[1]"}, "torch.prelu(a, b)"},
      {{"f32[]", "f32[1]"}, "torch.prelu(a, b)"},
      {{"f32[2,3,4,5]:cl", "f32[3]"}, "torch._prelu_kernel_backward(a, a, b.view(1, 3, 1, 1))"},
      {{"f32[2,3,4,5]", "f32[2,3,4,5]:cl", "f32[3]"},
       "torch._prelu_kernel_backward(a, b, c.view(1, 3, 1, 1))"},
      {{"f32[2,3]", "f32[1]"}, "torch._prelu_kernel_backward(a, a, b)"},
  });
}

TEST(ActivationKernels, ActivationsWithMoreResults) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,3,4,5]", "f32[2,3,4,5]:cl", "f32[2,3,4,5]:t", "f32[2,3,4,5]:step"},
      {"torch.log_sigmoid_forward(a)", "torch.log_sigmoid_backward(a, a, a)",
       "torch.log_sigmoid_backward(a, a, torch.empty_like(a, memory_format=0))",
       "torch.rrelu_with_noise(a, a, 0.1, 0.3, False)", "torch.rrelu_with_noise(a, a, 0.1, 0.3, True)"}));
  ExpectSameWithoutFallback({
      {{"f32[2,4]", "f32[2,2]"}, "torch.glu_backward(b, a, 1)"},
      {{"f32[2,4,3,3]:cl", "f32[2,2,3,3]:cl"}, "torch.glu_backward(b, a, 1)"},
  });
}

}  // namespace
}  // namespace culprit::graph::fake
