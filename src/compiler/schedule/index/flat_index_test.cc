// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/index/flat_index.h"

#include <gtest/gtest.h>

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;

ExprId Number(Body& body, int64_t number) {
  return body.Constant(number, loops::Type::Long);
}

TEST(FlatIndexTest, StridesAreMultiplied) {
  Body body;
  const ExprId flat = FlatIndex(body, {body.IndexOf(0), body.IndexOf(1)}, {8, 64}, {64, 1}, NumberWriter{});
  const std::optional<Affine> affine = AffineOf(body, flat);
  ASSERT_TRUE(affine);
  EXPECT_EQ(affine->coefficient(0), 64);
  EXPECT_EQ(affine->coefficient(1), 1);
}

TEST(FlatIndexTest, DigitsThatMemoryPutsTogetherAreTheNumber) {
  Body body;
  const ExprId number = body.IndexOf(0);
  const auto digit = [&](int64_t place, int64_t count) {
    return body.Apply(Op::kRemainder,
                      {body.Apply(Op::kFloorDiv, {number, Number(body, place)}), Number(body, count)});
  };
  const ExprId first = body.Apply(Op::kFloorDiv, {number, Number(body, 12)});
  EXPECT_EQ(FlatIndex(body, {first, digit(4, 3), digit(1, 4)}, {5, 3, 4}, {12, 4, 1}, NumberWriter{}),
            number);
}

TEST(FlatIndexTest, DigitsInAnotherOrderStay) {
  Body body;
  const ExprId number = body.IndexOf(0);
  const ExprId high = body.Apply(Op::kFloorDiv, {number, Number(body, 4)});
  const ExprId low = body.Apply(Op::kRemainder, {number, Number(body, 4)});
  EXPECT_FALSE(AffineOf(body, FlatIndex(body, {low, high}, {4, 3}, {3, 1}, NumberWriter{})));
}

}  // namespace
}  // namespace culprit::compiler::schedule
