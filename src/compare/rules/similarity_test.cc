// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/similarity.h"

#include <ATen/ops/complex.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

double Cosine(const at::Tensor& reference, const at::Tensor& result) {
  return CosineSimilarity(ElementOperands(reference, result, std::nullopt));
}

double Iou(const at::Tensor& reference, const at::Tensor& result) {
  return IntersectionOverUnion(ElementOperands(reference.to(at::kBool), result.to(at::kBool), std::nullopt));
}

TEST(CosineSimilarityTest, IsTheCosineOfTheAngle) {
  EXPECT_DOUBLE_EQ(Cosine(at::tensor({1.0F, 0.0F}), at::tensor({5.0F, 0.0F})), 1);
  EXPECT_DOUBLE_EQ(Cosine(at::tensor({1.0F, 0.0F}), at::tensor({0.0F, 2.0F})), 0);
  EXPECT_DOUBLE_EQ(Cosine(at::tensor({1.0F, 0.0F}), at::tensor({-1.0F, 0.0F})), -1);
  EXPECT_DOUBLE_EQ(Cosine(at::tensor({3.0F, 4.0F}), at::tensor({4.0F, 3.0F})), 0.96);
}

TEST(CosineSimilarityTest, ZeroIsSimilarToNothing) {
  EXPECT_EQ(Cosine(at::zeros({2}), at::ones({2})), 0);
}

TEST(CosineSimilarityTest, ComplexNumbersAreTwoComponents) {
  const at::Tensor reference = at::complex(at::tensor({3.0F}), at::tensor({4.0F}));
  const at::Tensor result = at::complex(at::tensor({4.0F}), at::tensor({3.0F}));
  EXPECT_DOUBLE_EQ(Cosine(reference, result), 0.96);
}

TEST(IntersectionOverUnionTest, CountsElements) {
  EXPECT_DOUBLE_EQ(Iou(at::tensor({1, 1, 1, 0}), at::tensor({0, 1, 1, 1})), 0.5);
  EXPECT_EQ(Iou(at::zeros({3}), at::zeros({3})), 1);
  EXPECT_EQ(Iou(at::zeros({3}), at::ones({3})), 0);
}

}  // namespace
}  // namespace culprit::compare
