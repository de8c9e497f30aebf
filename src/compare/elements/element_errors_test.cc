// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_errors.h"

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

namespace culprit::compare {
namespace {

std::vector<OffElement> OffIn(const at::Tensor& reference, const at::Tensor& result, double tolerance = 0.1) {
  return FindOffElements(ElementOperands(reference, result, std::nullopt), {.tolerance = tolerance});
}

TEST(OffElementsTest, AreThoseOutsideOfTheTolerance) {
  const auto off = OffIn(at::tensor({1.0F, 1.0F, 100.0F}), at::tensor({1.1F, 4.0F, 101.0F}));
  ASSERT_EQ(off.size(), 1u);
  EXPECT_EQ(off[0].place, 1);
  EXPECT_EQ(off[0].error, 3);
  EXPECT_EQ(off[0].moved, 0);
}

TEST(OffElementsTest, IntegersAreEqualOrNot) {
  const auto off = OffIn(at::tensor({1, 2}), at::tensor({1, 50}));
  ASSERT_EQ(off.size(), 1u);
  EXPECT_EQ(off[0].error, 1);
}

TEST(OffElementsTest, WhatIsNotFiniteIsForOthersToJudge) {
  EXPECT_TRUE(OffIn(at::tensor({NAN, 1.0F}), at::tensor({1.0F, INFINITY})).empty());
}

TEST(OffElementsTest, AreMovedByTheFurthestRun) {
  const at::Tensor reference = at::tensor({1.0F, 1.0F});
  auto off = OffIn(reference, at::tensor({1.0F, 4.0F}));
  NoteMoved(ElementOperands(reference, at::tensor({9.0F, 1.5F}), std::nullopt), off);
  NoteMoved(ElementOperands(reference, at::tensor({9.0F, 0.75F}), std::nullopt), off);
  EXPECT_EQ(off[0].moved, 0.5);
}

TEST(OffElementsTest, OfVeryManySomeAreKept) {
  const int64_t many = 300'000;
  const auto off = OffIn(at::zeros({many}), at::full({many}, 1.0));
  EXPECT_GE(off.size(), kMostOffElements / 2);
  EXPECT_LT(off.size(), kMostOffElements);
  EXPECT_GT(off.back().place, many - 16);
}

}  // namespace
}  // namespace culprit::compare
