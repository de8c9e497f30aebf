// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/simplify_index.h"

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

}  // namespace
}  // namespace culprit::compiler::schedule
