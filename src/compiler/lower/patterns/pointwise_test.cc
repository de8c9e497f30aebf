// SPDX-License-Identifier: Apache-2.0
//
// Pointwise rules against eager: operators x dtypes x layouts, with special numbers. A cell in which eager
// throws is empty; every operator has some that are not.
#include "compiler/lower/patterns/pointwise.h"

#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::CompareLowered;
using tests::ExpectCall;
using tests::Numbers;
using tests::OneCall;

constexpr const char* kAllDtypes[] = {"f32", "f64", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool"};
constexpr const char* kLayouts[] = {"[4,5] special",
                                    "[5,6] t special",
                                    "[3,4] step special",
                                    "[4,3] expand special",
                                    "[0,3]",
                                    "[1] special",
                                    "[]"};

/// Compares the call on operands of all dtypes and layouts; `others` are behind the first.
size_t Sweep(const std::string& call, const std::vector<std::string>& others, bool same_dtype) {
  size_t compared = 0;
  for (const char* dtype : kAllDtypes) {
    for (const std::string layout : kLayouts) {
      std::vector<c10::IValue> inputs = {Numbers(dtype + layout)};
      std::string where = call + " on " + dtype + layout;
      for (const std::string& other : others) {
        const std::string text = (same_dtype ? dtype : "") + other;
        where += ", " + text;
        inputs.emplace_back(Numbers(text));
      }
      try {
        const tests::Lowered lowered = CompareLowered(OneCall(call, inputs.size()), inputs);
        EXPECT_EQ(lowered.difference, "") << where;
        compared += lowered.loops;
      } catch (const std::exception& error) {
        ADD_FAILURE() << where << " throws " << error.what();
      }
    }
  }
  return compared;
}

TEST(PointwiseTest, UnaryOperatorsAgreeWithEager) {
  for (const LoweringRule& rule : UnaryRules())
    EXPECT_GT(Sweep(std::string(rule.op.substr(6)) + ".default(a)", {}, true), 0U) << rule.op;
}

size_t SweepBinary(const std::string& callee) {
  size_t compared = 0;
  if (callee.find("Scalar") != std::string::npos) {
    for (const char* number : {"3", "2.5", "-2"}) compared += Sweep(callee + "(a, " + number + ")", {}, true);
    return compared;
  }
  for (const char* other : {"[1] special", "[]"}) compared += Sweep(callee + "(a, b)", {other}, true);
  for (const char* other : {"f32[1]", "i64[]", "f64[]", "bool[1]"})
    compared += Sweep(callee + "(a, b)", {other}, false);
  return compared;
}

TEST(PointwiseTest, BinaryOperatorsAgreeWithEager) {
  for (const LoweringRule& rule : BinaryRules()) {
    const std::string name(rule.op.substr(6));
    if (name.ends_with("_mode")) continue;
    EXPECT_GT(SweepBinary(name.find('.') == std::string::npos ? name + ".default" : name), 0U) << rule.op;
  }
}

TEST(PointwiseTest, DivisionsWithAModeAgreeWithEager) {
  for (const char* mode : {"'floor'", "'trunc'", "None"}) {
    const std::string rounding = std::string(", rounding_mode=") + mode + ")";
    size_t compared = Sweep("div.Tensor_mode(a, b" + rounding, {"[1] special"}, true);
    compared += Sweep("div.Tensor_mode(a, b" + rounding, {"f32[]"}, false);
    EXPECT_GT(compared, 0U) << mode;
    EXPECT_GT(Sweep("div.Scalar_mode(a, 3" + rounding, {}, true), 0U) << mode;
    EXPECT_GT(Sweep("div.Scalar_mode(a, -2.5" + rounding, {}, true), 0U) << mode;
  }
}

TEST(PointwiseTest, IntegersAreDividedByTensorsInACall) {
  ExpectCall(OneCall("floor_divide.default(a, b)", 2), {"i64[4]", "i64[4] positive"});
}

}  // namespace
}  // namespace culprit::compiler::lower
