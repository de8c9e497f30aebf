// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

const std::vector<std::string> kFloats = {"f32[2,3,4]", "f32[2,3,4]:t:g", "f64[2,3,4]:step",
                                          "f32[2,3,4,5]:cl"};
const std::vector<std::string> kIntegers = {"i64[2,3,4]", "i32[2,3,4]:t", "u8[2,3,4]"};

TEST(ReductionKernels, WholeTensors) {
  const std::vector<std::string> calls = {"torch.max(a)",           "torch.min(a)",  "torch.median(a)",
                                          "torch.nanmedian(a)",     "torch.prod(a)", "torch.aminmax(a)",
                                          "torch.count_nonzero(a)", "torch.sum(a)"};
  ExpectSameWithoutFallback(EachWith(kFloats, calls));
  ExpectSameWithoutFallback(EachWith(kIntegers, calls));
  ExpectSameWithoutFallback(EachWith({"bool[2,3]"}, {"torch.max(a)", "torch.prod(a)", "torch.sum(a)"}));
  ExpectSameWithoutFallback(EachWith({"f32[]"}, calls));
  ExpectSameWithoutFallback(EachWith({"i32[2]"}, {"torch.prod(a, dtype=6)", "torch.nansum(a, dtype=7)"}));
  ExpectBothThrow(EachWith({"f32[0]"}, {"torch.max(a)", "torch.min(a)", "torch.aminmax(a)"}));
}

TEST(ReductionKernels, AlongDimensions) {
  const std::vector<std::string> calls = {"torch.median(a, 1)",
                                          "torch.nanmedian(a, 1, True)",
                                          "torch.mode(a, 0)",
                                          "torch.kthvalue(a, 1, 1, True)",
                                          "torch.max(a, 1, True)",
                                          "torch.aminmax(a, dim=1)",
                                          "torch.count_nonzero(a, [0, 2])",
                                          "torch.prod(a, 1)",
                                          "torch.cummax(a, 1)",
                                          "torch.cummin(a, 0)",
                                          "torch.argmax(a, 1)",
                                          "torch.nansum(a, [0, 1], True)"};
  ExpectSameWithoutFallback(EachWith(kFloats, calls));
  ExpectSameWithoutFallback(EachWith(kIntegers, calls));
}

TEST(ReductionKernels, Variances) {
  ExpectSameWithoutFallback(EachWith(
      kFloats,
      {"torch.var(a)", "torch.std(a, [1], True, True)", "torch.var_mean(a, [0, 2])", "torch.std_mean(a)",
       "torch.var(a, [1, 2], correction=0, keepdim=False)", "torch.std(a, [0], False)", "torch.nansum(a)"}));
  ExpectSameWithoutFallback(EachWith({"c64[2,3]"}, {"torch.var(a)", "torch.var_mean(a, [0])"}));
  ExpectBothThrow(EachWith({"i64[3]"}, {"torch.var(a)"}));
}

TEST(ReductionKernels, Products) {
  ExpectSameWithoutFallback({
      {{"f32[3,4]:t"}, "torch.trace(a)"},
      {{"i32[3,4]"}, "torch.trace(a)"},
      {{"f32[3]", "f32[3]:g"}, "torch.dot(a, b)"},
      {{"c64[3]"}, "torch.vdot(a, a)"},
      {{"i64[3]"}, "a @ a"},
      {{"f32[2,3]:t"}, "torch.logcumsumexp(a, 1)"},
  });
  ExpectBothThrow({{{"f32[3]", "f32[4]"}, "torch.dot(a, b)"}, {{"f32[3]", "f64[3]"}, "torch.dot(a, b)"}});
}

}  // namespace
}  // namespace culprit::graph::fake
