// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/polynomial.h"

#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

const Expression kS0 = Expression::Symbol(0);
const Expression kS1 = Expression::Symbol(1);

Expression Number(int64_t number) {
  return Expression::Constant(number);
}

Expression Minus(const Expression& a, const Expression& b) {
  return Expression::Of(Operation::kSubtract, a, b);
}

TEST(PolynomialTest, SumsAreMultipliedOut) {
  EXPECT_TRUE(AlwaysEqual(kS0 + kS0, Number(2) * kS0));
  EXPECT_TRUE(AlwaysEqual((kS0 + Number(1)) * kS1, kS1 + kS1 * kS0));
  EXPECT_TRUE(AlwaysEqual(Minus(kS0 + kS1, kS1), kS0));
  EXPECT_FALSE(AlwaysEqual(kS0 + kS0, kS0 * kS0));
  EXPECT_FALSE(AlwaysEqual(kS0, kS1));
}

TEST(PolynomialTest, WhatIsDividedOrCutOffIsTakenAsAWhole) {
  const auto half = [](const Expression& of) {
    return Expression::Of(Operation::kFloorDivide, of, Number(2));
  };
  EXPECT_TRUE(AlwaysEqual(half(kS0 + kS1), half(kS1 + kS0)));
  EXPECT_FALSE(AlwaysEqual(Number(2) * half(kS0), kS0));
  const Expression least = Expression::Of(Operation::kMinimum, kS0, kS1);
  EXPECT_TRUE(AlwaysEqual(least, Expression::Of(Operation::kMinimum, kS1, kS0)));
  EXPECT_FALSE(AlwaysEqual(least, kS0));
}

TEST(PolynomialTest, WhatIsDividedWithoutARestIsMultipliedOut) {
  const Expression product = Number(16) * kS0 * kS1 + Number(32);
  const auto divided = [&](int64_t by, Operation operation = Operation::kFloorDivide) {
    return Expression::Of(operation, product, Number(by));
  };
  EXPECT_TRUE(AlwaysEqual(divided(16), kS0 * kS1 + Number(2)));
  EXPECT_TRUE(AlwaysEqual(divided(-8), Number(-2) * kS0 * kS1 + Number(-4)));
  EXPECT_TRUE(AlwaysEqual(divided(16, Operation::kModulo), Number(0)));
  EXPECT_FALSE(AlwaysEqual(divided(32), kS0 * kS1 + Number(1)));
  EXPECT_FALSE(AlwaysEqual(divided(32, Operation::kModulo), Number(0)));
}

TEST(PolynomialTest, WhatIsTooLongIsNotKnown) {
  Expression product = kS0 + kS1;
  for (size_t i = 2; i < 10; ++i) product = product * (Expression::Symbol(i) + Number(1));
  EXPECT_FALSE(AlwaysEqual(product, product + Number(1)));
}

}  // namespace
}  // namespace culprit::graph::sizes
