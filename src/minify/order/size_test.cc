// SPDX-License-Identifier: Apache-2.0
#include "minify/order/size.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <deque>

#include "tests/lib/graph_builder.h"

namespace culprit::minify {
namespace {

using tests::TestGraph;

const Program& Kept(Program program) {
  static std::deque<Program> programs;
  return programs.emplace_back(std::move(program));
}

Size SizeOfCall(const char* op, const at::Tensor& x) {
  TestGraph g;
  g.Return({g.Call(op, {g.Placeholder("x")})});
  return SizeOf(Kept({g.graph(), {x}}));
}

TEST(SizeTest, FewerElementsCountMoreThanSimplerDtypes) {
  EXPECT_LT(SizeOfCall("aten::relu", at::ones({2}, at::kDouble)), SizeOfCall("aten::relu", at::ones({3})));
}

TEST(SizeTest, ASimplerOperatorCountsMoreThanFewerElements) {
  EXPECT_LT(SizeOfCall("aten::relu", at::ones({9})), SizeOfCall("aten::tanh", at::ones({3})));
}

TEST(SizeTest, SimplerNumbersDecideLast) {
  const Size zeros = SizeOfCall("aten::relu", at::zeros({3}));
  const Size ones = SizeOfCall("aten::relu", at::ones({3}));
  const Size others = SizeOfCall("aten::relu", at::full({3}, 0.123));
  EXPECT_LT(zeros, ones);
  EXPECT_LT(ones, others);
  EXPECT_EQ(zeros, SizeOfCall("aten::relu", at::zeros({3})));
}

TEST(SizeTest, AnAttributeThatIsTheDefaultCountsNothing) {
  TestGraph g;
  g.Return({g.Call("aten::leaky_relu", {g.Placeholder("x"), 0.25})});
  EXPECT_LT(SizeOfCall("aten::leaky_relu", at::ones({3})), SizeOf(Kept({g.graph(), {at::ones({3})}})));
}

}  // namespace
}  // namespace culprit::minify
