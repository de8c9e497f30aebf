// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/size_expression.h"

#include <gtest/gtest.h>

#include "tests/lib/expression_text.h"

namespace culprit::graph::text {
namespace {

/// The number, or column and message of the error; s0 is 7 and s1 is -2.
std::string Evaluate(const std::string& text) {
  const tests::ParsedExpression parsed(text);
  const base::Result<int64_t> value =
      EvaluateSize(parsed.source(), parsed.arena(), parsed.id(), {{"s0", 7}, {"s1", -2}});
  if (value.ok()) return std::to_string(*value);
  return std::to_string(value.error().place.column) + ": " + value.error().message;
}

TEST(EvaluateSize, NumbersAndSymbols) {
  EXPECT_EQ(Evaluate("64"), "64");
  EXPECT_EQ(Evaluate("s0"), "7");
  EXPECT_EQ(Evaluate("-9223372036854775808"), "-9223372036854775808");
}

TEST(EvaluateSize, ArithmeticFollowsPython) {
  EXPECT_EQ(Evaluate("4*s0 + 1"), "29");
  EXPECT_EQ(Evaluate("s0//s1"), "-4");
  EXPECT_EQ(Evaluate("s0 % s1"), "-1");
  EXPECT_EQ(Evaluate("s0**2 - +s1"), "51");
  EXPECT_EQ(Evaluate("-(s0)"), "-7");
}

TEST(EvaluateSize, FunctionsOfSymbolicExpressions) {
  EXPECT_EQ(Evaluate("Max(1, s0, s1)"), "7");
  EXPECT_EQ(Evaluate("Min(1, s0, s1)"), "-2");
  EXPECT_EQ(Evaluate("FloorDiv(s0, 2)"), "3");
  EXPECT_EQ(Evaluate("Mod(s0, 4)"), "3");
}

TEST(EvaluateSize, ErrorsPointAtWhatIsWrong) {
  EXPECT_EQ(Evaluate("4 * s9"), "5: size 's9' is not defined");
  EXPECT_EQ(Evaluate("1 + s0 // 0"), "8: integer division of 7 by zero");
  EXPECT_EQ(Evaluate("s0 * 9223372036854775807"), "4: integer overflow in 7 * 9223372036854775807");
  EXPECT_EQ(Evaluate("99999999999999999999"), "1: this integer does not fit 64 bits");
}

TEST(EvaluateSize, WhatIsNoIntegerIsAnError) {
  EXPECT_EQ(Evaluate("1.5"), "1: expected an integer expression");
  EXPECT_EQ(Evaluate("s0 / 2"), "4: expected an integer expression");
  EXPECT_EQ(Evaluate("s0 < 2"), "4: expected an integer expression");
  EXPECT_EQ(Evaluate("not s0"), "1: expected an integer expression");
  EXPECT_EQ(Evaluate("f(s0)"), "1: expected an integer expression");
  EXPECT_EQ(Evaluate("Max()"), "1: expected an integer expression");
  EXPECT_EQ(Evaluate("[s0]"), "1: expected an integer expression");
}

TEST(ForEachSymbol, VisitsSymbolsInOrderButNoFunctions) {
  const tests::ParsedExpression parsed("s3 + Max(1, s0)*(s3//s1)");
  std::string seen;
  ForEachSymbol(parsed.arena(), parsed.id(), [&](std::string_view name) { seen += std::string(name) + " "; });
  EXPECT_EQ(seen, "s3 s0 s3 s1 ");
}

}  // namespace
}  // namespace culprit::graph::text
