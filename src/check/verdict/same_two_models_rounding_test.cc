// SPDX-License-Identifier: Apache-2.0
//
// What a compiler may do to rounding is noise, and what it may not do is not.
#include "check/noise/rounding_observer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/verdict/same_two_models.h"
#include "tests/lib/accepted.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::IsAccepted;
using tests::RunEager;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

// 0 in eager, in every run and in float64.
TEST(RoundingTest, AProductThatIsRoundedOnceInsteadOfTwiceIsNoise) {
  TestGraph g;
  const ValueId a = g.Placeholder("a"), b = g.Placeholder("b");
  g.Return(
      {g.Call("aten::sub.Tensor", {g.Call("aten::mul.Tensor", {a, b}), g.Call("aten::mul.Tensor", {a, b})})});
  const Values inputs{at::randn({1000}), at::randn({1000})};
  EXPECT_TRUE(IsAccepted(g, inputs, at::randn({1000}).mul(3e-8)));
  EXPECT_FALSE(IsAccepted(g, inputs, at::randn({1000}).mul(1e-5)));
}

// As behind a batch norm that nobody has trained.
TEST(RoundingTest, SixPercentOfSmallNumbersAreNoNoise) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::tanh", {x}), 1e-6})});
  const Values inputs{at::randn({1000})};
  const at::Tensor eager = RunEager(g, inputs);
  EXPECT_TRUE(IsAccepted(g, inputs, eager.mul(1 + 3e-7)));
  EXPECT_FALSE(IsAccepted(g, inputs, eager.mul(1.06)));
}

// Three numbers that cancel, added in another order.
TEST(RoundingTest, AnotherOrderOfASumThatCancelsIsNoise) {
  TestGraph g;
  g.Return({g.Call("aten::sum.dim_IntList", {g.Placeholder("x"), {1}})});
  const at::Tensor half = at::randn({500, 1});
  const at::Tensor x = at::cat({half, half.mul(-3), half.mul(2)}, 1).mul(1.1);
  const at::Tensor other = (x.select(1, 0) + x.select(1, 2)) + x.select(1, 1);
  EXPECT_FALSE(RunEager(g, {x}).equal(other));
  EXPECT_TRUE(IsAccepted(g, {x}, other));
  EXPECT_FALSE(IsAccepted(g, {x}, x.select(1, 0)));
}

// The input of the comparison lies within rounding of its edge.
TEST(RoundingTest, AComparisonThatFlipsWithinRoundingIsNoise) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId third = g.Call("aten::mul.Tensor", {g.Call("aten::exp", {x}), 0.1});
  g.Return({g.Call("aten::gt.Tensor", {third, g.Call("aten::mul.Tensor", {g.Call("aten::exp", {x}), 0.1})})});
  const Values inputs{at::randn({64})};
  at::Tensor flipped = at::zeros({64}, at::kBool);
  flipped[7] = true;
  EXPECT_TRUE(IsAccepted(g, inputs, flipped));
}

TEST(RoundingTest, AComparisonThatFlipsFarFromItsEdgeIsNoNoise) {
  TestGraph g;
  g.Return({g.Call("aten::gt.Scalar", {g.Call("aten::exp", {g.Placeholder("x")}), 0})});
  at::Tensor flipped = at::full({64}, true, at::kBool);
  flipped[7] = false;
  EXPECT_FALSE(IsAccepted(g, {at::randn({64})}, flipped));
}

TEST(RoundingTest, SumsOfNumbersNearTheLargestMayBeInfinite) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::sum.dim_IntList", {g.Call("aten::mul.Tensor", {x, 1.5}), {0}})});
  at::Tensor x_large = at::full({40, 2}, 2e37);
  x_large.slice(0, 0, 40, 2).neg_();
  const at::Tensor infinite = at::full({2}, NAN);
  EXPECT_TRUE(IsAccepted(g, {x_large}, infinite));
  EXPECT_FALSE(IsAccepted(g, {x_large.mul(1e-10)}, infinite));
}

TEST(RoundingTest, ProductsOfManyNumbersMayBeInfiniteInOneOrder) {
  TestGraph g;
  g.Return({g.Call("aten::prod.dim_int", {g.Placeholder("x"), 0})});
  at::Tensor x = at::full({64, 2}, 1e-3);
  x.slice(0, 32, 64).fill_(1e3);
  const at::Tensor infinite = at::full({2}, INFINITY);
  EXPECT_TRUE(IsAccepted(g, {x}, infinite));
  EXPECT_FALSE(IsAccepted(g, {x.slice(0, 28, 36)}, infinite));
}

// A million additions, each of which may round otherwise.
TEST(RoundingTest, ALongSumMayBeSomeUnitsOff) {
  TestGraph g;
  const ValueId mean = g.Call("aten::mean", {g.Placeholder("x")});
  g.Return({g.Call("aten::sub.Tensor", {mean, 12345})});
  const at::Tensor x = at::full({1 << 20}, 12345.678);
  const double unit = std::ldexp(1.0, 13 - 23);
  const at::Tensor eager = RunEager(g, {x});
  EXPECT_TRUE(IsAccepted(g, {x}, eager.add(6 * unit)));
  EXPECT_FALSE(IsAccepted(g, {x}, eager.add(100 * unit)));
}

// What is counted, masked or placed by numbers would be another.
TEST(RoundingTest, IntegersStayWhatTheyAre) {
  TestGraph g;
  const ValueId sum = g.Call("aten::sum", {g.Placeholder("x")});
  g.Return({g.Call("aten::_to_copy", {sum}, {{"dtype", at::kLong}})});
  EXPECT_FALSE(IsAccepted(g, {at::full({7}, 1.0)}, at::full({}, 6, at::kLong)));
}

// 1 - tanh(x)^2 is 0 in eager, where tanh(x) is rounded to 1.
TEST(RoundingTest, AFunctionThatIsRoundedToAWholeNumberIsNotExact) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  g.Return({g.Call("aten::rsub.Scalar", {g.Call("aten::mul.Tensor", {tanh, tanh}), 1})});
  const Values inputs{at::full({64}, 10.0)};
  EXPECT_TRUE(IsAccepted(g, inputs, at::full({64}, 1.2e-7)));
  EXPECT_FALSE(IsAccepted(g, inputs, at::full({64}, 1e-4)));
}

// The gradient of a sum of softmax is 0; which of its rounding errors cancel is a matter of order.
TEST(RoundingTest, TheBackwardPassRoundsToo) {
  TestGraph g;
  g.Return({g.Call("aten::softmax.int", {g.Placeholder("x"), 1})});
  const GraphModel reference(g.graph());
  const FunctionModel candidate = FunctionModel::Plain([&](const Values& inputs) -> c10::IValue {
    const at::Tensor x = inputs[0].toTensor();
    x.register_hook([](const at::Tensor& gradient) { return gradient.add(1e-9); });
    return c10::ivalue::Tuple::create({x.softmax(1)});
  });
  const Values inputs{at::randn({4, 5}).set_requires_grad(true)};
  EXPECT_EQ(SameTwoModels(reference, candidate, inputs, CheckOptions::Strict()).status, CheckStatus::kSame);
}

// Behind a ReLU many numbers are 0, and 0 + 0.5 is 0.5 in every program: the first of them is the smallest.
TEST(RoundingTest, EqualNumbersThatNothingRoundedStayEqual) {
  TestGraph g;
  const ValueId relu = g.Call("aten::relu", {g.Call("aten::mul.Tensor", {g.Placeholder("x"), 1.1})});
  const ValueId least = g.Call("aten::argmin", {g.Call("aten::add.Tensor", {relu, 0.5})});
  g.Return({g.Call("aten::mul.Tensor", {relu, least})});
  const Values inputs{at::linspace(3, -3, 64)};
  const at::Tensor eager = RunEager(g, inputs);
  EXPECT_TRUE(IsAccepted(g, inputs, eager.mul(1 + 1e-7)));
  EXPECT_FALSE(IsAccepted(g, inputs, eager.div(32).mul(33))) << "another of the equal ones";
  EXPECT_FALSE(IsAccepted(g, inputs, eager.div(32).mul(1))) << "none of the smallest";
}

Values TenTenths() {
  return {at::tensor({1.0F, 0.5F, 6.0F, 7.7F}), at::tensor({0.1F, 0.1F, 0.2F, 1.3F})};
}

TestGraph FloorDivision(bool of_rounded) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), y = g.Placeholder("y");
  const ValueId dividend =
      of_rounded ? g.Call("aten::mul.Tensor", {g.Call("aten::div.Tensor", {x, 3}), 3}) : x;
  g.Return({g.Call("aten::floor_divide", {dividend, y})});
  return g;
}

// pytorch#197895: 1.0 // 0.1 is 9, since 0.1 is a little more than a tenth in binary.
TEST(RoundingTest, WhatIsSpecifiedToTheLastBitHasNoEdgesBesideItsInputs) {
  TestGraph g = FloorDivision(/*of_rounded=*/false);
  EXPECT_FALSE(IsAccepted(g, TenTenths(), at::tensor({10.0F, 5.0F, 30.0F, 5.0F})));
}

// 6 / 3 * 3 is not rounded.
TEST(RoundingTest, BehindRoundingItHas) {
  TestGraph g = FloorDivision(/*of_rounded=*/true);
  EXPECT_TRUE(IsAccepted(g, TenTenths(), at::tensor({10.0F, 5.0F, 29.0F, 5.0F})));
  EXPECT_FALSE(IsAccepted(g, TenTenths(), at::tensor({10.0F, 5.0F, 30.0F, 5.0F})));
}

// An ulp of 1e6 is 0.06.
TEST(RoundingTest, InputsAreOffWhereAnOperatorRoundsInside) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId whole = g.Call("aten::sub.Tensor", {g.Call("aten::floor", {x}), g.Call("aten::floor", {x})});
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::cos", {x}), whole})});
  EXPECT_TRUE(IsAccepted(g, {at::linspace(1e6, 2e6, 64)}, at::linspace(1e6, 2e6, 64).add(0.03).cos()));
}

}  // namespace
}  // namespace culprit::check
