// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/cost.h"

#include <gtest/gtest.h>

namespace culprit::compiler::schedule {
namespace {

using loops::ExprId;
using loops::Loop;
using loops::Op;
using loops::Type;

/// x[i0] * 3 % 7
Loop Remainders(Type type) {
  Loop loop;
  const ExprId x = loop.body.Load(0, type, {loop.body.IndexOf(0)});
  const ExprId product = loop.body.Apply(Op::kMul, {x, loop.body.Constant(3, type)});
  loop.result = loop.body.Apply(Op::kRemainder, {product, loop.body.Constant(7, type)});
  return loop;
}

TEST(CostTest, IntegersOfTheProgramCostTheSameInEveryType) {
  EXPECT_GT(CostOf(Remainders(Type::Int)), 1);
  EXPECT_EQ(CostOf(Remainders(Type::Long)), CostOf(Remainders(Type::Int)));
}

TEST(CostTest, CountingCostsNothing) {
  Loop loop;
  const ExprId eight = loop.body.Size(8);
  const ExprId row = loop.body.Apply(Op::kFloorDiv, {loop.body.IndexOf(0), eight});
  const ExprId column = loop.body.Apply(Op::kRemainder, {loop.body.IndexOf(0), eight});
  loop.result = loop.body.Load(0, Type::Long, {row, column});
  EXPECT_EQ(CostOf(loop), CostOf(Op::kLoad));
}

}  // namespace
}  // namespace culprit::compiler::schedule
