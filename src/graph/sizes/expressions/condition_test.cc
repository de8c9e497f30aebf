// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/condition.h"

#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

const Expression kS0 = Expression::Symbol(0);

Condition Compared(Relation relation, int64_t number) {
  return {kS0, relation, Expression::Constant(number)};
}

TEST(ConditionTest, IsWrittenInSymbols) {
  EXPECT_EQ(ToString(Compared(Relation::kGreater, 4)), "s0 > 4");
  EXPECT_EQ(ToString(Compared(Relation::kNotEqual, 4)), "s0 != 4");
}

TEST(ConditionTest, HoldsForSomeSizes) {
  EXPECT_TRUE(Holds(Compared(Relation::kLessEqual, 4), {4}));
  EXPECT_FALSE(Holds(Compared(Relation::kLessEqual, 4), {5}));
}

TEST(ConditionTest, WhatCannotBeComputedDoesNotHold) {
  const Expression divided = Expression::Of(Operation::kFloorDivide, kS0, Expression::Symbol(1));
  EXPECT_FALSE(Holds({divided, Relation::kNotEqual, Expression::Constant(7)}, {4, 0}));
}

TEST(ConditionTest, TheOppositeHoldsWhereItDoesNot) {
  for (const Relation relation : {Relation::kEqual, Relation::kNotEqual, Relation::kLess,
                                  Relation::kLessEqual, Relation::kGreater, Relation::kGreaterEqual}) {
    for (const int64_t size : {3, 4, 5})
      EXPECT_NE(Holds(Compared(relation, 4), {size}), Holds(Compared(Opposite(relation), 4), {size}));
  }
}

TEST(ConditionTest, SizesOfAtLeastTwoDecideSome) {
  EXPECT_TRUE(AlwaysHolds(Compared(Relation::kNotEqual, 1)));
  EXPECT_TRUE(AlwaysHolds(Compared(Relation::kGreaterEqual, 2)));
  EXPECT_FALSE(AlwaysHolds(Compared(Relation::kGreater, 2)));
  EXPECT_FALSE(AlwaysHolds(Compared(Relation::kEqual, 2)));
  EXPECT_TRUE(AlwaysHolds({kS0, Relation::kEqual, kS0}));
}

TEST(ConditionTest, EqualityIsSaidInFewWords) {
  const Expression cut_off = Expression::Of(Operation::kMinimum, kS0, Expression::Constant(20));
  EXPECT_EQ(ToString(Equality(cut_off, kS0)), "s0 <= 20");
  EXPECT_EQ(ToString(Equality(cut_off, Expression::Constant(20))), "20 <= s0");
  EXPECT_EQ(ToString(Equality(Expression::Of(Operation::kMaximum, Expression::Constant(20), kS0), kS0)),
            "s0 >= 20");
  EXPECT_EQ(ToString(Equality(kS0, Expression::Symbol(1))), "s0 == s1");
}

TEST(ConditionTest, TheLeastOfSeveralIsNotLarger) {
  const Expression cut_off = Expression::Of(Operation::kMinimum, kS0, Expression::Symbol(1));
  EXPECT_TRUE(AlwaysHolds({cut_off, Relation::kLessEqual, kS0}));
  EXPECT_TRUE(AlwaysHolds({Expression::Symbol(1), Relation::kGreaterEqual, cut_off}));
  EXPECT_FALSE(AlwaysHolds({cut_off, Relation::kGreaterEqual, kS0}));
}

}  // namespace
}  // namespace culprit::graph::sizes
