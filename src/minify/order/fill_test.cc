// SPDX-License-Identifier: Apache-2.0
#include "minify/order/fill.h"

#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace culprit::minify {
namespace {

const at::Tensor kOdd = at::linspace(0.123, 4.567, 24);

TEST(FillTest, EachFillIsLessComplexThanTheNext) {
  for (const Fill fill : kFills) {
    const std::optional<at::Tensor> filled = Filled(kOdd, fill, 3);
    ASSERT_TRUE(filled.has_value());
    EXPECT_EQ(ContentsComplexity(*filled), static_cast<size_t>(fill));
  }
  EXPECT_EQ(ContentsComplexity(kOdd), std::size(kFills));
}

TEST(FillTest, WhatIsAsSimpleAlreadyIsLeftAlone) {
  EXPECT_FALSE(Filled(at::zeros({4}), Fill::kZeros, 0));
  EXPECT_FALSE(Filled(at::zeros({4}), Fill::kNormal, 0));
  EXPECT_FALSE(Filled(at::ones({4}), Fill::kOnes, 0));
  EXPECT_TRUE(Filled(at::ones({4}), Fill::kZeros, 0));
}

TEST(FillTest, StridesAndGapsAndGradnessStay) {
  const at::Tensor odd = kOdd.view({4, 6}).t().narrow(0, 1, 4).detach().requires_grad_();
  const at::Tensor filled = *Filled(odd, Fill::kNormal, 0);
  EXPECT_EQ(filled.sizes(), odd.sizes());
  EXPECT_EQ(filled.strides(), odd.strides());
  EXPECT_TRUE(filled.requires_grad());
  EXPECT_TRUE(filled.is_leaf());
}

TEST(FillTest, TensorsOfOneProgramGetDifferentNumbers) {
  EXPECT_FALSE(Filled(kOdd, Fill::kNormal, 0)->equal(*Filled(kOdd, Fill::kNormal, 1)));
  EXPECT_TRUE(Filled(kOdd, Fill::kNormal, 1)->equal(*Filled(kOdd, Fill::kNormal, 1)));
}

TEST(FillTest, ComplexNumbersAreFilledByTheirParts) {
  const at::Tensor filled = *Filled(kOdd.to(at::kComplexFloat), Fill::kSmallIntegers, 0);
  EXPECT_EQ(filled.scalar_type(), at::kComplexFloat);
  EXPECT_EQ(ContentsComplexity(filled), static_cast<size_t>(Fill::kSmallIntegers));
}

}  // namespace
}  // namespace culprit::minify
