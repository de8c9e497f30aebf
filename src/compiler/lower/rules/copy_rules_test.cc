// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectLowered;
using tests::OneCall;

TEST(CopyRulesTest, ConversionsAgreeWithEager) {
  constexpr const char* kDtypes[] = {"f32", "f64", "f16", "bf16", "i64", "i32", "i8", "bool"};
  for (const char* to : {"float32", "float64", "float16", "bfloat16", "int64", "int32", "bool"})
    for (const std::string from : kDtypes)
      ExpectLowered(OneCall(std::string("_to_copy.default(a, dtype=torch.") + to + ")", 1),
                    {from + "[3,4] t"});
}

TEST(CopyRulesTest, AConversionRoundsAlsoWhereNothingIsStored) {
  const loops::LoopProgram program = [] {
    return tests::LowerText(
        "x\na = _to_copy.default(x, dtype=torch.bfloat16)\nb = _to_copy.default(a, "
        "dtype=torch.float32)\nreturn (b,)",
        {tests::Numbers("f32[3]")});
  }();
  EXPECT_NE(ToText(program).find("round_to_bfloat16"), std::string::npos);
}

TEST(CopyRulesTest, FilledTensorsAgreeWithEager) {
  for (const char* call :
       {"clone.default(a)", "zeros_like.default(a)", "ones_like.default(a)", "full_like.default(a, 2.5)",
        "new_zeros.default(a, [2, 3])", "new_full.default(a, [2], 7)", "full.default([2, 3], 1.5)",
        "zeros.default([2], dtype=torch.int64)", "ones.default([])", "arange.default(5)",
        "arange.start(2, 7)", "arange.start_step(1.0, 2.0, 0.3)", "arange.start_step(9, 1, -2)",
        "eye.default(3)", "eye.m(2, 4)", "scalar_tensor.default(2.5)", "fill.Scalar(a, 3)"})
    for (const char* input : {"f32[3,4] t", "i64[3,4]", "f64[0,2]"}) ExpectLowered(OneCall(call, 1), {input});
}

TEST(CopyRulesTest, TrianglesAgreeWithEager) {
  for (const char* call :
       {"tril.default(a)", "tril.default(a, 1)", "triu.default(a, -1)", "triu.default(a, 2)"})
    for (const char* input : {"f32[4,3]", "f32[2,3,5] t", "i64[3,3]", "bool[3,3]"})
      ExpectLowered(OneCall(call, 1), {input});
}

}  // namespace
}  // namespace culprit::compiler::lower
