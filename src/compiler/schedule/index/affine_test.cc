// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/affine.h"

#include <gtest/gtest.h>

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;

TEST(AffineTest, SumsAndMultiplesOfVariablesAreAForm) {
  Body body;
  const ExprId twelve = body.Size(12);
  const ExprId rows = body.Apply(Op::kMul, {twelve, body.IndexOf(0)});
  const ExprId sum = body.Apply(Op::kAdd, {rows, body.IndexOf(2)});
  const auto affine =
      AffineOf(body, body.Apply(Op::kSub, {sum, body.Apply(Op::kAdd, {body.IndexOf(2), twelve})}));
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->coefficients, (std::map<uint32_t, int64_t>{{0, 12}}));
  EXPECT_EQ(affine->constant, -12);
}

TEST(AffineTest, WhatNeedsMoreThan64BitsIsNone) {
  Body body;
  const ExprId huge = body.Constant(int64_t{1} << 62, loops::Type::Long);
  const ExprId multiple = body.Apply(Op::kMul, {body.IndexOf(0), huge});
  EXPECT_TRUE(AffineOf(body, multiple));
  EXPECT_FALSE(AffineOf(body, body.Apply(Op::kMul, {multiple, body.Size(4)})));
  EXPECT_FALSE(AffineOf(body, body.Apply(Op::kAdd, {multiple, multiple})));
  const ExprId behind = body.Apply(Op::kAdd, {body.IndexOf(0), huge});
  EXPECT_FALSE(AffineOf(body, body.Apply(Op::kAdd, {behind, behind})));
}

// With one look for each use there would be 2^60 of them.
TEST(AffineTest, WhatIsUsedOftenIsLookedAtOnce) {
  Body body;
  ExprId doubled = body.IndexOf(0);
  for (int i = 0; i < 60; ++i) doubled = body.Apply(Op::kAdd, {doubled, doubled});
  const auto affine = AffineOf(body, doubled);
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->coefficient(0), int64_t{1} << 60);
}

}  // namespace
}  // namespace culprit::compiler::schedule
