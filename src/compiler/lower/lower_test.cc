// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using testing::HasSubstr;
using tests::LowerText;

std::string NamesOf(const loops::LoopProgram& program) {
  std::string names;
  for (const loops::Value& value : program.values) names += value.name + (value.loop ? "* " : " ");
  return names;
}

TEST(LowerTest, ValuesKeepTheirNamesAndHelpersAreNamedAfterThem) {
  const loops::LoopProgram program =
      LowerText("x\ny = _softmax.default(x, 1, False)\nz = relu.default(y)\nreturn (z,)", {at::ones({2, 3})});
  EXPECT_EQ(NamesOf(program), "x y.max* y.exp* y.sum* y* z* ");
}

TEST(LowerTest, EveryNodeCanStillBeCalled) {
  const loops::LoopProgram program = LowerText("x\ny = relu.default(x)\nreturn (y,)", {at::ones({2, 3})});
  EXPECT_EQ(*program.values[1].node, graph::NodeId{0});
  EXPECT_EQ(program.values[1].result, 0U);
}

TEST(LowerTest, ARuleThatDoesNotApplyLeavesACall) {
  LowerOptions options;
  options.applies = [](std::string_view rule) { return rule != "aten::relu"; };
  const loops::LoopProgram program =
      LowerText("x\ny = relu.default(x)\nz = neg.default(y)\nreturn (z,)", {at::ones({2})}, options);
  EXPECT_EQ(NamesOf(program), "x y z* ");
}

TEST(LowerTest, WhatLibtorchHasNoKernelForIsACall) {
  const auto lowered = [](const std::string& call, at::ScalarType a, at::ScalarType b) {
    const auto inputs = std::vector<c10::IValue>{at::ones({2}, a), at::ones({2}, b)};
    return NamesOf(LowerText("a, b\ny = " + call + "\nreturn (y,)", inputs)) == "a b y* ";
  };
  EXPECT_TRUE(lowered("floor.default(a)", at::kInt, at::kInt));
  EXPECT_FALSE(lowered("floor.default(a)", at::kBool, at::kInt));
  EXPECT_FALSE(lowered("silu.default(a)", at::kInt, at::kInt));
  // Promoted, by tensors or a number.
  EXPECT_TRUE(lowered("hypot.default(a, b)", at::kFloat, at::kInt));
  EXPECT_FALSE(lowered("hypot.default(a, b)", at::kInt, at::kInt));
  EXPECT_TRUE(lowered("bitwise_and.Scalar(a, 3)", at::kInt, at::kInt));
  EXPECT_FALSE(lowered("bitwise_and.Scalar(a, 1.5)", at::kInt, at::kInt));
  // Without operands the result counts.
  EXPECT_TRUE(lowered("eye.default(3)", at::kInt, at::kInt));
}

bool IsLoop(const std::string& call, at::ScalarType dtype) {
  const std::vector<c10::IValue> inputs = {at::ones({2}, dtype), at::ones({2}, at::kBool)};
  return NamesOf(LowerText("a, m\ny = " + call + "\nreturn (y,)", inputs)) == "a m y* ";
}

TEST(LowerTest, WhatMeetsAComplexNumberIsACall) {
  for (const char* call : {"eq.Scalar(a, 1j)", "eq.Scalar(a, 0j)", "ne.Scalar(a, 1j)", "eq.Tensor(a, 1j)"})
    for (const at::ScalarType dtype : {at::kFloat, at::kLong, at::kBool})
      EXPECT_FALSE(IsLoop(call, dtype)) << call;
}

TEST(LowerTest, WhatMeetsANumberThatIsTooLargeForItsDtypeIsACall) {
  for (const char* call :
       {"masked_fill.Scalar(a, m, 300)", "full_like.default(a, 300)", "clamp.default(a, 0, 300)",
        "clamp_max.default(a, 300)", "constant_pad_nd.default(a, [1, 1], 300)",
        "threshold.default(a, 0, 300)", "floor_divide.Scalar(a, 256)", "floor_divide.default(a, 256)",
        "remainder.Scalar(a, 256)", "fmod.Scalar(a, 256)", "add.Tensor(a, a, alpha=300)",
        "full.default([2], 300, dtype=torch.int8)", "lt.Scalar(a, 300)"}) {
    EXPECT_FALSE(IsLoop(call, at::kChar)) << call;
    if (!std::string(call).starts_with("full.")) EXPECT_TRUE(IsLoop(call, at::kShort)) << call;
  }
  EXPECT_FALSE(IsLoop("remainder.Scalar(a, 4294967296)", at::kInt));
  EXPECT_FALSE(IsLoop("full_like.default(a, float('nan'))", at::kLong));
  EXPECT_FALSE(IsLoop("full_like.default(a, 1e20)", at::kLong));
  EXPECT_FALSE(IsLoop("masked_fill.Scalar(a, m, 1e39)", at::kFloat));
  EXPECT_FALSE(IsLoop("masked_fill.Scalar(a, m, -1e9)", at::kHalf));
}

TEST(LowerTest, NumbersThatLibtorchMakesFitAreNoCalls) {
  EXPECT_TRUE(IsLoop("masked_fill.Scalar(a, m, -float('inf'))", at::kFloat));
  EXPECT_TRUE(IsLoop("masked_fill.Scalar(a, m, 300)", at::kBool));
  EXPECT_TRUE(IsLoop("masked_fill.Scalar(a, m, -1)", at::kByte));
  EXPECT_TRUE(IsLoop("mul.Scalar(a, 300.5)", at::kChar));
  EXPECT_TRUE(IsLoop("lt.Scalar(a, 300.5)", at::kChar));
}

TEST(LowerTest, AGraphThatDependsOnDataIsNotLowerable) {
  EXPECT_THROW(LowerText("x\ny = nonzero.default(x)\nreturn (y,)", {at::ones({2})}), NotLowerable);
  EXPECT_THROW(LowerText("x\ny = mm.default(x, x)\nreturn (y,)", {at::ones({2, 3})}), NotLowerable);
}

TEST(LowerTest, ViewsAreMarkedAndCopiesAreNot) {
  const loops::LoopProgram program =
      LowerText("x\na = view.default(x, [6])\nb = t.default(x)\nc = reshape.default(b, [6])\nreturn (a, c)",
                {at::ones({2, 3})});
  EXPECT_TRUE(program.values[1].is_view);
  EXPECT_TRUE(program.values[2].is_view);
  EXPECT_FALSE(program.values[3].is_view);
}

TEST(LowerTest, WhatCannotBeLoadedIsOpaque) {
  const loops::LoopProgram program =
      LowerText("x\na = complex.default(x, x)\nb = real.default(a)\nreturn (b,)", {at::ones({2})});
  EXPECT_TRUE(program.values[1].is_opaque);
}

TEST(LowerTest, WhatIsWrittenIntoIsForCallsOnly) {
  const loops::LoopProgram program = LowerText(
      "x\nc = clone.default(x)\nv = view.default(c, [2])\nw = relu_.default(v)\ny = neg.default(c)\nreturn "
      "(y,)",
      {at::ones({2, 1})});
  EXPECT_EQ(NamesOf(program), "x c v w y ");
  EXPECT_TRUE(program.values[1].is_opaque);
}

TEST(LowerTest, ACallWithAResultThatIsWrittenIntoIsACall) {
  const loops::LoopProgram program = LowerText(
      "x\nm, i = min.dim(x, 1)\nw = relu_.default(m)\ny = neg.default(i)\nreturn (y,)", {at::ones({2, 3})});
  EXPECT_EQ(NamesOf(program), "x m i w y* ");
}

TEST(LowerTest, SizesAreConstantsOrNumbersOfTheProgram) {
  const std::string text = "x\ny = mean.dim(x, [1])\nreturn (y,)";
  LowerOptions symbolic;
  symbolic.symbolic = true;
  EXPECT_THAT(ToText(LowerText(text, {at::ones({2, 7})}, symbolic)), HasSubstr("size 7"));
  EXPECT_THAT(ToText(LowerText(text, {at::ones({2, 7})})), testing::Not(HasSubstr("size 7")));
}

TEST(LowerTest, EqualHelpersAreOne) {
  const loops::LoopProgram program = LowerText(
      "x\na = var.dim(x, [1], True)\nb = std.dim(x, [1], False)\nreturn (a, b)", {at::ones({2, 3})});
  EXPECT_EQ(NamesOf(program), "x a.sum* a.mean* a.squares* a* b* ");
}

TEST(LowerTest, EveryRuleIsForAnOperatorThatExists) {
  std::set<std::string_view> seen;
  for (const RuleFamily& family : RuleFamilies()) {
    for (const LoweringRule& rule : family.rules) {
      const size_t dot = rule.op.find('.');
      const auto name = rule.op.substr(0, dot);
      const auto overload = dot == std::string_view::npos ? "" : rule.op.substr(dot + 1);
      EXPECT_NE(graph::Operator::Find(name, overload), nullptr) << rule.op;
      EXPECT_TRUE(seen.insert(rule.op).second) << rule.op;
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
