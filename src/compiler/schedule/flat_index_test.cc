// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/flat_index.h"

#include <gtest/gtest.h>

#include "compiler/schedule/simplify_index.h"

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;

class Indices {
 public:
  ExprId Number(int64_t number) { return body.Constant(number, loops::Type::Long); }
  /// i0 * 64 + i1
  ExprId Linear() {
    return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {body.IndexOf(0), Number(64)}), body.IndexOf(1)});
  }
  /// What is left of an operation, 64 being how far i1 goes.
  std::optional<ExprId> Simplified(Op op, ExprId left, int64_t right) {
    return SimplifiedIndex(body, {.op = op, .type = loops::Type::Long, .operands = {left, Number(right)}},
                           {8, 64}, Numbers{});
  }
  Body body;
};

TEST(SimplifyIndexTest, AReshapeThatMeetsItsInverseIsGone) {
  Indices indices;
  EXPECT_EQ(indices.Simplified(Op::kFloorDiv, indices.Linear(), 64), indices.body.IndexOf(0));
  EXPECT_EQ(indices.Simplified(Op::kRemainder, indices.Linear(), 64), indices.body.IndexOf(1));
}

TEST(SimplifyIndexTest, WhatGoesFurtherThanTheDivisorStays) {
  Indices indices;
  EXPECT_EQ(indices.Simplified(Op::kFloorDiv, indices.Linear(), 32), std::nullopt);
  const ExprId rest = indices.body.Apply(Op::kRemainder, {indices.body.IndexOf(1), indices.Number(32)});
  EXPECT_EQ(indices.Simplified(Op::kRemainder, indices.Linear(), 32), rest);
}

TEST(SimplifyIndexTest, NegativeNumbersStay) {
  Indices indices;
  const ExprId below = indices.body.Apply(Op::kSub, {indices.body.IndexOf(1), indices.Number(1)});
  EXPECT_EQ(indices.Simplified(Op::kFloorDiv, below, 64), std::nullopt);
}

TEST(FlatIndexTest, StridesAreMultiplied) {
  Indices indices;
  const ExprId flat = FlatIndex(indices.body, {indices.body.IndexOf(0), indices.body.IndexOf(1)}, {8, 64},
                                {64, 1}, Numbers{});
  const std::optional<Affine> affine = AffineOf(indices.body, flat);
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->coefficient(0), 64);
  EXPECT_EQ(affine->coefficient(1), 1);
}

TEST(FlatIndexTest, DigitsThatMemoryPutsTogetherAreTheNumber) {
  Indices indices;
  Body& body = indices.body;
  const ExprId number = body.IndexOf(0);
  const auto digit = [&](int64_t place, int64_t count) {
    return body.Apply(Op::kRemainder,
                      {body.Apply(Op::kFloorDiv, {number, indices.Number(place)}), indices.Number(count)});
  };
  const ExprId first = body.Apply(Op::kFloorDiv, {number, indices.Number(12)});
  EXPECT_EQ(FlatIndex(body, {first, digit(4, 3), digit(1, 4)}, {5, 3, 4}, {12, 4, 1}, Numbers{}), number);
}

TEST(FlatIndexTest, DigitsInAnotherOrderStay) {
  Indices indices;
  Body& body = indices.body;
  const ExprId number = body.IndexOf(0);
  const ExprId high = body.Apply(Op::kFloorDiv, {number, indices.Number(4)});
  const ExprId low = body.Apply(Op::kRemainder, {number, indices.Number(4)});
  EXPECT_FALSE(AffineOf(body, FlatIndex(body, {low, high}, {4, 3}, {3, 1}, Numbers{})));
}

}  // namespace
}  // namespace culprit::compiler::schedule
