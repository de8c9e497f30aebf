// SPDX-License-Identifier: Apache-2.0
//
// What rounding excuses ends where nothing was rounded: one operation on numbers that are given has one
// result, and huge numbers that nobody adds up overflow nowhere.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/lib/accepted.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::IsAccepted;
using tests::RunEager;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

// 3.0 as an integer is 3.
TEST(ExactTest, WholeNumbersBecomeTheseIntegers) {
  TestGraph g;
  g.Return({g.Call("aten::_to_copy", {g.Placeholder("x")}, {{"dtype", at::kLong}})});
  const at::Tensor x = at::arange(64, at::kFloat);
  at::Tensor wrong = x.to(at::kLong);
  wrong.slice(0, 0, 64, 4).sub_(1);
  EXPECT_FALSE(IsAccepted(g, {x}, wrong));
}

// As one-hot masks of the largest are made.
TEST(ExactTest, ANumberMinusItselfIs0) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId largest = g.Call("aten::amax", {x, {-1}, true});
  g.Return({g.Call("aten::eq.Scalar", {g.Call("aten::sub.Tensor", {x, largest}), 0})});
  EXPECT_FALSE(IsAccepted(g, {at::randn({8, 8})}, at::zeros({8, 8}, at::kBool)));
}

TEST(ExactTest, OneOperationOnInputsHasNoEdges) {
  const at::Tensor x = at::arange(64, at::kFloat).mul(0.5);
  for (const char* op : {"aten::mul.Tensor", "aten::add.Tensor", "aten::div.Tensor"}) {
    TestGraph g;
    g.Return({g.Call("aten::floor", {g.Call(op, {g.Placeholder("x"), 0.5})})});
    at::Tensor wrong = RunEager(g, {x});
    wrong.slice(0, 1, 64, 8).sub_(1);
    EXPECT_FALSE(IsAccepted(g, {x}, wrong)) << op;
  }
}

TEST(ExactTest, EqualInputsStayEqualBehindASum) {
  TestGraph g;
  g.Return({g.Call("aten::argmax", {g.Call("aten::add.Tensor", {g.Placeholder("x"), 0.25})})});
  EXPECT_FALSE(IsAccepted(g, {at::full({64}, 0.7)}, at::full({}, 17, at::kLong)));
}

TEST(ExactTest, WhatIsChosenOfRoundedNumbersIsAsTheyAre) {
  TestGraph g;
  const ValueId product = g.Call("aten::mul.Tensor", {g.Placeholder("x"), 1.1});
  g.Return({g.Call("aten::argmin", {g.Call("aten::fmax", {product, g.Placeholder("least")})})});
  EXPECT_FALSE(IsAccepted(g, {at::randn({64}), at::full({64}, 5.5)}, at::full({}, 17, at::kLong)));
}

TEST(ExactTest, EqualNumbersAreOneNumber) {
  TestGraph g;
  g.Return({g.CallAll("aten::_unique2", {g.Placeholder("x")})[0]});
  EXPECT_FALSE(IsAccepted(g, {at::tensor({1.5F, 1.5F, 2.5F, 1.5F})}, at::tensor({1.5F, 1.5F, 2.5F})));
}

TEST(ExactTest, AStableSortKeepsTheOrderOfEqualNumbers) {
  const at::Tensor x = at::tensor({2.5F, 1.5F, 1.5F, 0.5F});
  const at::Tensor swapped = at::tensor({3, 2, 1, 0}, at::kLong);
  TestGraph stable, any;
  stable.Return({stable.CallAll("aten::sort.stable", {stable.Placeholder("x")}, {{"stable", true}})[1]});
  EXPECT_FALSE(IsAccepted(stable, {x}, swapped));
  any.Return({any.CallAll("aten::sort.stable", {any.Placeholder("x")}, {{"stable", false}})[1]});
  EXPECT_TRUE(IsAccepted(any, {x}, swapped));
}

at::Tensor InAnotherOrder(const at::Tensor& rows) {
  return (rows.select(1, 0) + rows.select(1, 2)) + rows.select(1, 1);
}

at::Tensor ProductWithOnes(const at::Tensor& rows) {
  return at::mm(rows, at::ones({3, 1})).flatten();
}

/// Rows of three numbers whose sum is what eager computes, to the last bit, and not in another order.
at::Tensor RowsThatCancel() {
  const at::Tensor half = at::randn({4000, 1});
  const at::Tensor rows = at::cat({half, half.mul(-3), half.mul(2)}, 1).mul(1.1);
  const at::Tensor truth = rows.to(at::kDouble).sum(1);
  const at::Tensor is_right = rows.sum(1).eq(truth).logical_and(ProductWithOnes(rows).eq(truth));
  return rows.index_select(0, is_right.logical_and(InAnotherOrder(rows).ne(truth)).nonzero().flatten());
}

TEST(ExactTest, ASumOfWhatWasExactMayBeInAnyOrder) {
  TestGraph g;
  const ValueId halves = g.Call("aten::mul.Tensor", {g.Placeholder("x"), 0.5});
  g.Return({g.Call("aten::sum.dim_IntList", {halves, {1}})});
  const at::Tensor rows = RowsThatCancel();
  ASSERT_GT(rows.size(0), 10);
  EXPECT_TRUE(IsAccepted(g, {rows}, InAnotherOrder(rows.mul(0.5))));
}

// As in frozen programs, whose weights are constants; what they are multiplied with is whole.
TEST(ExactTest, SumsOfConstantsMayBeInAnyOrder) {
  const at::Tensor rows = RowsThatCancel();
  ASSERT_GT(rows.size(0), 10);
  TestGraph g;
  const ValueId ones = g.Call("aten::_to_copy", {g.Placeholder("ones")}, {{"dtype", at::kFloat}});
  g.Return({g.Call("aten::mm", {g.Constant("weights", rows), ones})});
  EXPECT_TRUE(IsAccepted(g, {at::ones({3, 1}, at::kLong)}, InAnotherOrder(rows).unsqueeze(1)));
}

// An ulp of 1e8 is 8: every float of that size is whole.
TEST(ExactTest, ASumThatIsWholeSinceItWasRoundedIsNotExact) {
  TestGraph g;
  const ValueId sum =
      g.Call("aten::sum", {g.Call("aten::_to_copy", {g.Placeholder("x")}, {{"dtype", at::kFloat}})});
  g.Return({g.Call("aten::sub.Tensor", {sum, 1e8})});
  const at::Tensor x = at::full({96}, 1048577, at::kLong);
  const at::Tensor eager = RunEager(g, {x});
  EXPECT_TRUE(IsAccepted(g, {x}, eager.add(8)) && IsAccepted(g, {x}, eager.sub(8)));
  EXPECT_FALSE(IsAccepted(g, {x}, eager.add(80000)));
}

// A root of a sum of squares.
TEST(ExactTest, TheSizeOfAComplexNumberIsRounded) {
  TestGraph g;
  g.Return({g.Call("aten::gt.Scalar", {g.Call("aten::abs", {g.Placeholder("z")}), 1})});
  const at::Tensor z = at::complex(at::full({64}, 0.6), at::full({64}, 0.8));
  const at::Tensor eager = RunEager(g, {z});
  EXPECT_TRUE(IsAccepted(g, {z}, eager.logical_not()));
  EXPECT_FALSE(IsAccepted(g, {z.mul(2)}, at::zeros({64}, at::kBool)));
}

TEST(ExactTest, ProductsOfComplexNumbersCancel) {
  TestGraph g;
  const ValueId product = g.Call("aten::mul.Tensor", {g.Placeholder("a"), g.Placeholder("b")});
  g.Return({g.Call("aten::real", {product})});
  const at::Tensor real = at::randn({64}), imaginary = at::randn({64});
  const at::Tensor a = at::complex(real, imaginary), b = at::complex(imaginary, real);
  EXPECT_TRUE(IsAccepted(g, {a, b}, RunEager(g, {a, b}).add(real.mul(imaginary).mul(1e-7))));
  EXPECT_FALSE(IsAccepted(g, {a, b}, RunEager(g, {a, b}).add(1e-3)));
}

/// As transformers' models write it: 0 where a query may look, the lowest number elsewhere.
at::Tensor LowestAbove(at::ScalarType dtype) {
  const double lowest = dtype == at::kHalf ? -65504 : std::numeric_limits<float>::lowest();
  return at::full({6, 6}, lowest, dtype).triu(1);
}

TEST(ExactTest, MasksOfTheLowestNumberExcuseNoNan) {
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf}) {
    TestGraph g;
    const ValueId x = g.Placeholder("x");
    const ValueId scores = g.Call("aten::mm", {x, g.Call("aten::t", {x})});
    const ValueId masked = g.Call("aten::add.Tensor", {scores, g.Placeholder("mask")});
    g.Return({g.Call("aten::mm", {g.Call("aten::_softmax", {masked, -1, false}), x})});
    const Values inputs{at::randn({6, 6}).to(dtype), LowestAbove(dtype)};
    EXPECT_FALSE(IsAccepted(g, inputs, at::full({6, 6}, NAN, dtype))) << dtype;
  }
}

TEST(ExactTest, NorDoThoseOfAttention) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::scaled_dot_product_attention", {x, x, x, g.Placeholder("mask")})});
  const Values inputs{at::randn({1, 1, 6, 6}), LowestAbove(at::kFloat)};
  EXPECT_FALSE(IsAccepted(g, inputs, at::full({1, 1, 6, 6}, NAN)));
}

/// A compiler that forgets to write into the input, through something that only now and then is a view.
CheckStatus ForgetTheWrite(TestGraph& g) {
  const FunctionModel forgetful = FunctionModel::Plain(
      [](const Values&) -> c10::IValue { return c10::ivalue::Tuple::create(std::vector<c10::IValue>{}); });
  return SameTwoModels(GraphModel(g.graph()), forgetful, {at::ones({2, 3})}, CheckOptions::Strict()).status;
}

TEST(ExactTest, WritesThroughEveryViewReachTheInputOfANoiseRun) {
  TestGraph swapped;
  const ValueId axes = swapped.Call("aten::swapaxes", {swapped.Placeholder("x"), 0, 1});
  swapped.Call("aten::add_.Tensor", {axes, 1});
  swapped.Return({});
  EXPECT_EQ(ForgetTheWrite(swapped), CheckStatus::kDifferent);
  TestGraph dropped;
  const ValueId dropout = dropped.Call("aten::dropout", {dropped.Placeholder("x"), 0.5, false});
  dropped.Call("aten::add_.Tensor", {dropout, 1});
  dropped.Return({});
  EXPECT_EQ(ForgetTheWrite(dropped), CheckStatus::kDifferent);
}

}  // namespace
}  // namespace culprit::check
