// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;
using tests::Row;

TEST(ElementwiseKernels, Where) {
  ExpectSameWithoutFallback({
      {{"bool[2,3]", "f32[2,3]", "f32[2,3]"}, "torch.where(a, b, c)"},
      {{"bool[3]", "f32[2,3]:g", "f32[]"}, "torch.where(a, b, c)"},
      {{"bool[2,1]", "i64[1,3]", "i64[2,3]"}, "torch.where(a, b, c)"},
      {{"bool[2,3,4,5]", "f32[2,3,4,5]:cl", "f32[2,3,4,5]:cl"}, "torch.where(a, b, c)"},
      {{"bool[2,3,4,5]:cl", "f32[2,3,4,5]:cl", "f32[1]"}, "torch.where(a, b, c)"},
      {{"bool[2,3,4,5]:cl", "f32[2,3,4,5]", "f32[2,3,4,5]:t"}, "torch.where(a, b, c)"},
      {{"bool[2]", "f32[2]"}, "torch.where(a, b, 1.5)"},
      {{"bool[2]", "c64[2]"}, "torch.where(a, b, b)"},
  });
  ExpectSameWithoutFallback({{{"bool[2]", "f32[2]", "f64[2]"}, "torch.where(a, b, c)"},
                             {{"bool[2]", "i64[2]", "f32[]"}, "torch.where(a, b, c)"}});
  ExpectBothThrow({{{"f32[2]", "f32[2]"}, "torch.where(a, b, b)"}});
}

TEST(ElementwiseKernels, UnaryOperators) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4,5]:g", "f32[2,3,4,5]:cl", "f32[2,3]:t", "f32[2,3]:step", "f64[]", "f32[0,3]"},
               {"torch.isnan(a)", "torch.angle(a)", "torch.logit(a, 0.1)"}));
  ExpectSameWithoutFallback(
      EachWith({"i64[3]", "bool[3]"}, {"torch.isnan(a)", "torch.angle(a)", "torch.logit(a)"}));
  ExpectSameWithoutFallback(EachWith({"c64[2,3]:t"}, {"torch.isnan(a)", "torch.angle(a)"}));
}

TEST(ElementwiseKernels, BinaryOperators) {
  std::vector<Row> rows;
  for (const std::string& other : {"f32[2,3]", "i64[3]", "f64[]", "i32[2,3]:t"}) {
    for (const std::string& self : {"f32[2,3]", "f32[2,3]:t", "i64[2,3]", "i32[]"}) {
      rows.push_back({{self, other}, "torch.rsub(a, b)"});
      rows.push_back({{self, other}, "torch.floor_divide(a, b)"});
    }
  }
  ExpectSameWithoutFallback(rows);
  ExpectSameWithoutFallback(
      EachWith({"i64[2,3]", "i32[2,3]:t", "f32[2,3]"},
               {"torch.remainder(3, a)", "torch.remainder(2.5, a)", "torch.floor_divide(a, 2)"}));
  ExpectSameWithoutFallback(EachWith({"i64[2,3]", "i32[2,3]:t"}, {"a << 1", "a >> 1", "a << a", "a >> a"}));
}

TEST(ElementwiseKernels, NumbersForTheTensorsOfLists) {
  for (const std::string name : {"torch._foreach_addcmul", "torch._foreach_addcdiv"}) {
    const std::string call = name + "([a, b], [a, b], [a, b], c)";
    ExpectSameWithoutFallback(
        {{{"f32[2,3]:t", "f64[4]", "f32[2]"}, call}, {{"bf16[2]", "f32[0]", "f64[2]"}, call}});
    ExpectSameWithoutFallback({{{"f32[2,3]", "f32[4]", "f32[2]"}, name + "_([a, b], [a, b], [a, b], c)"}});
    ExpectBothThrow({{{"f32[2]", "f32[2]", "f32[3]"}, call}, {{"f32[2]", "f32[2]", "f32[2,1]"}, call}});
  }
}

TEST(ElementwiseKernels, Searches) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]:t", "f32[5]"}, "torch.bucketize(a, b)"},
      {{"f32[2,3]", "f32[5]"}, "torch.bucketize(a, b, out_int32=True)"},
      {{"f32[5]"}, "torch.bucketize(2.5, a)"},
      {{"f32[2,5]", "f32[2,3]"}, "torch.searchsorted(a, b)"},
      {{"f32[5]", "f32[3,3]:t"}, "torch.searchsorted(a, b, out_int32=True)"},
      {{"f32[5]"}, "torch.searchsorted(a, 2)"},
  });
}

}  // namespace
}  // namespace culprit::graph::fake
