// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/simplify_index.h"

#include <gtest/gtest.h>

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
                           {8, 64}, NumberWriter{});
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

// What a program computes of numbers it counts need not be a place.
TEST(SimplifyIndexTest, WhatWrapsStays) {
  Indices indices;
  const auto multiple = [&](uint32_t variable, int64_t factor) {
    return indices.body.Apply(Op::kMul, {indices.body.IndexOf(variable), indices.Number(factor)});
  };
  constexpr int64_t kHuge = int64_t{1} << 61;
  EXPECT_EQ(indices.Simplified(Op::kRemainder, multiple(1, 6364136223846793005), 1000), std::nullopt);
  EXPECT_EQ(indices.Simplified(Op::kFloorDiv, multiple(0, kHuge), kHuge), std::nullopt);
  EXPECT_EQ(indices.Simplified(Op::kRemainder, multiple(0, kHuge), kHuge), std::nullopt);
  const ExprId sum = indices.body.Apply(Op::kAdd, {multiple(0, kHuge), indices.body.IndexOf(1)});
  EXPECT_EQ(indices.Simplified(Op::kRemainder, sum, 32), std::nullopt);
}

// The numbers reach down to -4.9e18. Without the multiples of 6 in 2^62 they would go below -2^63.
TEST(SimplifyIndexTest, ARestThatWrapsIsNotTaken) {
  Indices indices;
  Body& body = indices.body;
  const ExprId steps = body.Apply(Op::kMul, {body.IndexOf(0), indices.Number(6)});
  const ExprId back = body.Apply(Op::kMul, {body.IndexOf(1), indices.Number(150000000000000001)});
  const ExprId from = body.Apply(Op::kAdd, {steps, indices.Number(int64_t{1} << 62)});
  EXPECT_EQ(indices.Simplified(Op::kRemainder, body.Apply(Op::kSub, {from, back}), 6), std::nullopt);
}

}  // namespace
}  // namespace culprit::compiler::schedule
