// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/constant_expression.h"

#include <gtest/gtest.h>

#include "graph/text/syntax/literal.h"
#include "tests/lib/expression_text.h"

namespace culprit::graph::text {
namespace {

/// The constant as it is printed, or column and message of the error.
std::string Evaluate(const std::string& text) {
  const tests::ParsedExpression parsed(text);
  const base::Result<c10::IValue> value = EvaluateConstant(parsed.source(), parsed.arena(), parsed.id());
  if (value.ok()) return ConstantToText(*value);
  return std::to_string(value.error().place.column) + ": " + value.error().message;
}

TEST(EvaluateConstant, Literals) {
  EXPECT_EQ(Evaluate("0x10"), "16");
  EXPECT_EQ(Evaluate("1e3"), "1000.0");
  EXPECT_EQ(Evaluate("2j"), "complex(0.0, 2.0)");
  EXPECT_EQ(Evaluate("'floor'"), "'floor'");
  EXPECT_EQ(Evaluate("None"), "None");
  EXPECT_EQ(Evaluate("True"), "True");
}

TEST(EvaluateConstant, SignsReachTheLowestInteger) {
  EXPECT_EQ(Evaluate("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(Evaluate("+3"), "3");
  EXPECT_EQ(Evaluate("-0.0"), "-0.0");
  EXPECT_EQ(Evaluate("--1.5"), "1.5");
  EXPECT_EQ(Evaluate("-2j"), "complex(-0.0, -2.0)");
  EXPECT_EQ(Evaluate("--9223372036854775808"), "1: integer overflow in 0 - -9223372036854775808");
}

TEST(EvaluateConstant, SpecialFloatsInEverySpelling) {
  for (const char* text : {"inf", "math.inf", "torch.inf", "float('inf')", "1e999", "-float('-inf')"})
    EXPECT_EQ(Evaluate(text), "float('inf')") << text;
  for (const char* text : {"nan", "math.nan", "torch.nan", "float('nan')", "-float('nan')"})
    EXPECT_EQ(Evaluate(text), "float('nan')") << text;
  EXPECT_EQ(Evaluate("-inf"), "-float('inf')");
  EXPECT_EQ(Evaluate("math.pi"), "3.141592653589793");
}

TEST(EvaluateConstant, ComplexNumbersInEverySpelling) {
  for (const char* text : {"1+2j", "(1.0+2j)", "complex(1, 2.0)", "2j + 1"})
    EXPECT_EQ(Evaluate(text), "complex(1.0, 2.0)") << text;
}

TEST(EvaluateConstant, DtypesLayoutsAndMemoryFormatsAreInts) {
  EXPECT_EQ(Evaluate("torch.float64"), "7");
  EXPECT_EQ(Evaluate("torch.sparse_coo"), "1");
  EXPECT_EQ(Evaluate("torch.channels_last"), "2");
}

TEST(EvaluateConstant, DevicesInEverySpelling) {
  for (const char* text : {"device(type='cuda', index=0)", "device('cuda', 0)", "torch.device('cuda:0')",
                           "torch.device(type='cuda', index=0)"}) {
    EXPECT_EQ(Evaluate(text), "torch.device('cuda:0')") << text;
  }
  EXPECT_EQ(Evaluate("device(type='cpu')"), "torch.device('cpu')");
}

TEST(EvaluateConstant, ArithmeticOnNumbers) {
  EXPECT_EQ(Evaluate("7 // -2"), "-4");
  EXPECT_EQ(Evaluate("1 / 4"), "0.25");
  EXPECT_EQ(Evaluate("1 + 0.5 * 2"), "2.0");
  EXPECT_EQ(Evaluate("2 ** 10"), "1024");
}

TEST(EvaluateConstant, ErrorsPointAtWhatIsWrong) {
  EXPECT_EQ(Evaluate("x"), "1: 'x' is not a constant");
  EXPECT_EQ(Evaluate("[1]"), "1: expected a constant");
  EXPECT_EQ(Evaluate("1 // 0"), "3: integer division of 1 by zero");
  EXPECT_EQ(Evaluate("1.5 // 2"), "5: '//' cannot be applied to these constants");
  EXPECT_EQ(Evaluate("'a' + 'b'"), "5: '+' cannot be applied to these constants");
  EXPECT_EQ(Evaluate("-'a'"), "1: '-' cannot be applied to this");
  EXPECT_EQ(Evaluate("f'{x}'"), "1: malformed string");
  EXPECT_EQ(Evaluate("device('gpu')"), "1: unknown device 'gpu'");
  EXPECT_EQ(Evaluate("float('1.5')"), "1: 'float' with these arguments is not a constant");
  EXPECT_EQ(Evaluate("f(1)"), "1: 'f' with these arguments is not a constant");
}

TEST(IsConstantCall, FloatOfATextIsOneButFloatOfASizeIsNot) {
  const auto is_constant = [](const std::string& text) {
    const tests::ParsedExpression parsed(text);
    const Expression& call = parsed.arena()[parsed.id()];
    return IsConstantCall(parsed.arena().ChildOf(call, 0).text, parsed.arena(), call);
  };
  EXPECT_TRUE(is_constant("float('inf')"));
  EXPECT_FALSE(is_constant("float(s0)"));
  EXPECT_TRUE(is_constant("torch.device('cpu')"));
  EXPECT_FALSE(is_constant("max(1, 2)"));
}

}  // namespace
}  // namespace culprit::graph::text
