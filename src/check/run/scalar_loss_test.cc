// SPDX-License-Identifier: Apache-2.0
#include "check/run/scalar_loss.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::check {
namespace {

at::Tensor Filled(double value, std::vector<int64_t> sizes = {4}) {
  return at::full(sizes, value, at::kFloat);
}

double LossOf(const c10::IValue& output) {
  const base::Result<at::Tensor> loss = ReduceToScalarLoss(output);
  EXPECT_EQ(loss->dim(), 0);
  return loss->item<double>();
}

std::string ErrorOf(const c10::IValue& output) {
  return ReduceToScalarLoss(output).error().message;
}

TEST(ScalarLossTest, ATensorIsItsSumDividedByItsNumberOfElements) {
  EXPECT_EQ(LossOf(at::arange(4).to(at::kFloat)), 1.5);
}

TEST(ScalarLossTest, TensorsOfIntegersAndBoolsWorkToo) {
  EXPECT_EQ(LossOf(at::arange(4)), 1.5);
  EXPECT_EQ(LossOf(at::ones({2}, at::kBool)), 1);
}

TEST(ScalarLossTest, ListsAndTuplesAreTheSumOfTheReductionsDividedByTheirLength) {
  EXPECT_EQ(LossOf(tests::List({Filled(1), Filled(3, {100})})), 2);
  EXPECT_EQ(LossOf(tests::Tuple({Filled(1), tests::Tuple({Filled(3), Filled(7)})})), 3);
  EXPECT_EQ(LossOf(tests::NamedTuple("Pair", {{"a", Filled(1)}, {"b", Filled(3)}})), 2);
}

TEST(ScalarLossTest, DictsAreTheSumOverTheValuesDividedByTheNumberOfKeys) {
  EXPECT_EQ(LossOf(tests::Dict({{"a", Filled(1)}, {"b", Filled(3)}})), 2);
}

TEST(ScalarLossTest, ObjectsAreReducedByTheirLogits) {
  const tests::Attributes attributes = {{"loss", Filled(9)}, {"logits", Filled(3)}};
  EXPECT_EQ(LossOf(tests::Object("MaskedLMOutput", attributes)), 3);
}

TEST(ScalarLossTest, ObjectsWithAMeanAreItsSum) {
  EXPECT_EQ(LossOf(tests::Object("SquashedNormal", {{"scale", 1.0}, {"mean", Filled(3, {4})}})), 12);
}

TEST(ScalarLossTest, NoneAndNumbersBesideATensorAreLeftOut) {
  EXPECT_EQ(LossOf(tests::Tuple({Filled(3), c10::IValue(), 7, at::Tensor(), 2.5, true})), 3);
}

TEST(ScalarLossTest, ComplexTensorsGiveARealNumber) {
  EXPECT_EQ(LossOf(at::complex(Filled(1), Filled(2))), 3);
  EXPECT_EQ(LossOf(at::complex(Filled(1), Filled(2)).conj()), -1);
}

TEST(ScalarLossTest, WhatCannotBeReducedIsNamed) {
  EXPECT_EQ(ErrorOf("text"), "don't know how to reduce str");
  EXPECT_EQ(ErrorOf(tests::Tuple({Filled(1), "text"})), "don't know how to reduce str");
  EXPECT_EQ(ErrorOf(tests::Object("Boxes", {{"x", Filled(1)}})), "don't know how to reduce object Boxes");
  EXPECT_EQ(ErrorOf(tests::Tuple({1, c10::IValue()})), "don't know how to reduce tuple");
}

TEST(ScalarLossTest, BackwardIsRequiredIfAnyTensorInsideRequiresGrad) {
  const at::Tensor grad = Filled(1).requires_grad_(true);
  EXPECT_FALSE(RequiresBackward(Filled(1)));
  EXPECT_FALSE(RequiresBackward(tests::Tuple({c10::IValue(), 3, 0.5, "text", at::Tensor()})));
  EXPECT_TRUE(RequiresBackward(grad));
  EXPECT_TRUE(RequiresBackward(tests::Tuple({Filled(1), tests::List({3, grad})})));
  EXPECT_TRUE(RequiresBackward(tests::Dict({{"a", grad}})));
  EXPECT_TRUE(RequiresBackward(tests::Object("Boxes", {{"x", grad}})));
}

TEST(ScalarLossTest, OfSparseTensorsTheValuesAreSummed) {
  const at::Tensor x = at::ones({2, 2}).mul_(3).requires_grad_(true);
  const at::Tensor loss = *ReduceToScalarLoss(x.to_sparse());
  EXPECT_EQ(loss.item<float>(), 3);
  loss.backward();
  EXPECT_TRUE(x.grad().equal(at::full({2, 2}, 0.25)));
  const at::Tensor z = at::complex(at::ones({2}), at::ones({2})).requires_grad_(true);
  const at::Tensor indices = at::arange(2).unsqueeze(0);
  const at::Tensor complex_loss = *ReduceToScalarLoss(at::sparse_coo_tensor(indices, z, {2}));
  EXPECT_EQ(complex_loss.item<float>(), 2);
  complex_loss.backward();
  EXPECT_TRUE(z.grad().defined());
}

}  // namespace
}  // namespace culprit::check
