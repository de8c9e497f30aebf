// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace culprit::graph::sizes {
namespace {

const Expression kS0 = Expression::Symbol(0);
const Expression kS1 = Expression::Symbol(1);

Expression Number(int64_t value) {
  return Expression::Constant(value);
}

TEST(ExpressionTest, ConstantsAreFolded) {
  EXPECT_EQ(ToString(Number(3) * Number(4)), "12");
  EXPECT_EQ(ToString(kS0 * Number(1)), "s0");
  EXPECT_EQ(ToString(Number(0) * kS0), "0");
  EXPECT_EQ(ToString(kS0 + Number(0)), "s0");
  EXPECT_EQ(ToString(Expression::Of(Operation::kFloorDivide, kS0, Number(1))), "s0");
  EXPECT_EQ(ToString(Expression::Of(Operation::kModulo, kS0, Number(1))), "0");
}

TEST(ExpressionTest, WhatCannotBeFoldedStays) {
  const Expression largest = Number(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ToString(Expression::Of(Operation::kFloorDivide, Number(1), Number(0))), "1//0");
  EXPECT_EQ(Evaluate(largest * Number(2), {}), std::nullopt);
}

TEST(ExpressionTest, IsWrittenAsPeopleWriteIt) {
  EXPECT_EQ(ToString(kS0 * Number(12)), "12*s0");
  EXPECT_EQ(ToString(Number(4) + kS0 * kS1), "s0*s1 + 4");
  EXPECT_EQ(ToString(Expression::Of(Operation::kFloorDivide, kS0 + Number(-1), Number(2)) + Number(1)),
            "(s0 - 1)//2 + 1");
  EXPECT_EQ(ToString(Expression::Of(Operation::kSubtract, kS0, kS1 + Number(1))), "s0 - (s1 + 1)");
  EXPECT_EQ(ToString(kS0 * Expression::Of(Operation::kFloorDivide, kS1, Number(2))), "s0*(s1//2)");
  EXPECT_EQ(ToString(Expression::Of(Operation::kMinimum, kS0, Number(8))), "min(s0, 8)");
}

TEST(ExpressionTest, DividesAsPythonDoes) {
  const Expression half = Expression::Of(Operation::kFloorDivide, kS0, Number(2));
  EXPECT_EQ(Evaluate(half, {7}), 3);
  EXPECT_EQ(Evaluate(half, {-7}), -4);
  EXPECT_EQ(Evaluate(Expression::Of(Operation::kModulo, kS0, Number(3)), {-7}), 2);
}

TEST(ExpressionTest, SizesOfValuesAreNotKnownBeforehand) {
  const Expression size = Expression::Size(ValueId(3), 2);
  EXPECT_FALSE((kS0 + size).HasSymbolsOnly());
  EXPECT_EQ(Evaluate(size, {4}), std::nullopt);
  EXPECT_EQ(ToString(size, [](ValueId) { return "relu"; }), "size(relu, 2)");
}

TEST(ExpressionTest, BoundsFollowFromSizesOfAtLeastTwo) {
  EXPECT_EQ(BoundsOf(kS0 * kS1).least, 4);
  EXPECT_EQ(BoundsOf(kS0 * kS1).largest, std::nullopt);
  const Expression windows = Expression::Of(Operation::kFloorDivide, kS0 + Number(-1), Number(2)) + Number(1);
  EXPECT_EQ(BoundsOf(windows).least, 1);
  EXPECT_EQ(BoundsOf(Expression::Of(Operation::kModulo, kS0, Number(8))).largest, 7);
  EXPECT_EQ(BoundsOf(Expression::Of(Operation::kSubtract, Number(0), kS0)).least, std::nullopt);
}

}  // namespace
}  // namespace culprit::graph::sizes
