// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::loops {
namespace {

std::string TextOf(const Body& body) {
  return ToText(body, [](uint32_t source) { return "b" + std::to_string(source); });
}

TEST(BodyTest, EqualExpressionsAreOne) {
  Body body;
  const ExprId i = body.IndexOf(0);
  const ExprId x = body.Load(0, Type::Float, {i});
  EXPECT_EQ(body.Apply(Op::kExp, {x}), body.Apply(Op::kExp, {body.Load(0, Type::Float, {body.IndexOf(0)})}));
  EXPECT_NE(body.Load(1, Type::Float, {i}), x);
}

TEST(BodyTest, ConstantsAreKnownByTheirBits) {
  Body body;
  EXPECT_NE(body.Constant(0.0, Type::Float), body.Constant(-0.0, Type::Float));
  EXPECT_EQ(body.Constant(NAN, Type::Float), body.Constant(NAN, Type::Float));
  EXPECT_NE(body.Constant(1, Type::Float), body.Constant(1, Type::Double));
}

TEST(BodyTest, IntegersAreFoldedAndFloatsAreNot) {
  Body body;
  const ExprId i = body.IndexOf(0);
  const auto number = [&](int64_t integer) { return body.Constant(integer, Type::Long); };
  EXPECT_EQ(body.Apply(Op::kAdd, {i, number(0)}), i);
  EXPECT_EQ(body.Apply(Op::kMul, {number(1), i}), i);
  EXPECT_EQ(body.Apply(Op::kMul, {i, number(0)}), number(0));
  EXPECT_EQ(body.Apply(Op::kFloorDiv, {number(-7), number(2)}), number(-4));
  EXPECT_EQ(body.Apply(Op::kRemainder, {number(-7), number(2)}), number(1));
  const ExprId x = body.Load(0, Type::Float, {i});
  EXPECT_NE(body.Apply(Op::kAdd, {x, body.Constant(0.0, Type::Float)}), x);
}

TEST(BodyTest, ADivisionThatNobodyDefinesIsLeft) {
  Body body;
  const ExprId zero = body.Constant(0, Type::Long);
  EXPECT_EQ(body[body.Apply(Op::kFloorDiv, {body.Constant(7, Type::Long), zero})].op, Op::kFloorDiv);
}

TEST(BodyTest, SizesOf0And1AreConstants) {
  Body body;
  EXPECT_EQ(body.Size(1), body.Constant(1, Type::Long));
  EXPECT_EQ(body[body.Size(2)].op, Op::kSize);
}

TEST(BodyTest, ACopyMasksEveryLoadItMakes) {
  Body source;
  const ExprId sum =
      source.Apply(Op::kAdd, {source.Load(0, Type::Float, {source.IndexOf(0)}),
                              source.MaskedLoad(1, Type::Float, {source.IndexOf(0)},
                                                source.Apply(Op::kLt, {source.IndexOf(0), source.Size(5)}))});
  Body target;
  const ExprId mask = target.Apply(Op::kLt, {target.IndexOf(3), target.Size(9)});
  BodyCopy copy(
      source, target, [](const Expression&, BodyCopy&) { return std::nullopt; }, mask);
  copy(sum);
  EXPECT_EQ(TextOf(target),
            "  %0: i64 = index 3\n"
            "  %1: i64 = size 9\n"
            "  %2: bool = lt %0, %1\n"
            "  %3: i64 = index 0\n"
            "  %4: f32 = load b0[%3] if %2\n"
            "  %5: i64 = size 5\n"
            "  %6: bool = lt %3, %5\n"
            "  %7: bool = and %2, %6\n"
            "  %8: f32 = load b1[%3] if %7\n"
            "  %9: f32 = add %4, %8\n");
  VerifyTypes(target);
}

TEST(BodyTest, OperandsOfTwoTypesAreNoticed) {
  Body body;
  body.Add({.op = Op::kAdd,
            .type = Type::Float,
            .operands = {body.Constant(1.0, Type::Float), body.Constant(1.0, Type::Double)}});
  EXPECT_THROW(VerifyTypes(body), base::InternalError);
}

}  // namespace
}  // namespace culprit::compiler::loops
