// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

TEST(StatisticsRulesTest, VariancesAgreeWithEager) {
  for (const std::string dtype : {"f32", "f64", "bf16"}) {
    for (const std::string layout : {"[3,4,5]", "[2,4,6] t", "[2,1,3]", "[3,4,5] special"}) {
      for (const char* call :
           {"var.default(a, True)", "var.dim(a, [1], False)", "var.correction(a, [0, 2], correction=1)",
            "var.correction(a, None, correction=0)", "var.correction(a, [1], correction=0.5)",
            "std.correction(a, [0], correction=1.25)", "var.correction(a, [1], correction=-0.25)",
            "std.correction(a, [1], correction=0, keepdim=True)", "std.dim(a, [0, -1], True, True)"})
        ExpectLowered(OneCall(call, 1), {dtype + layout});
      ExpectLowered(OneCall("var_mean.correction(a, [0, 2], correction=1, keepdim=True)", 1, 2),
                    {dtype + layout});
    }
  }
}

TEST(StatisticsRulesTest, NoNumbersHaveNoVarianceWhateverTheCorrection) {
  for (const char* correction : {"0", "1", "-0.25", "-3"})
    ExpectLowered(OneCall(std::string("var.correction(a, [1], correction=") + correction + ")", 1),
                  {"f32[2,0,3]"});
}

TEST(StatisticsRulesTest, NormsAgreeWithEager) {
  for (const char* layout : {"f32[3,4,5]", "f64[2,4,6] t", "bf16[3,4,2]", "f32[3,4,5] special"})
    for (const char* call :
         {"linalg_vector_norm.default(a, 2)", "linalg_vector_norm.default(a, 1, [1])",
          "linalg_vector_norm.default(a, float('inf'), [0, 2], True)", "norm.ScalarOpt_dim(a, 2, [1], True)",
          "norm.Scalar(a, 2)", "norm.ScalarOpt_dim(a, float('-inf'), [-1])"})
      ExpectLowered(OneCall(call, 1), {layout});
  ExpectCall(OneCall("linalg_vector_norm.default(a, 3)", 1), {"f32[3,4]"});
}

TEST(StatisticsRulesTest, CumulativeOperatorsAgreeWithEager) {
  for (const char* layout :
       {"f32[3,4,5]", "f64[2,4,6] t", "i64[3,2]", "i32[3,2,4] step", "bool[3,2]", "f32[0,2]"})
    for (const char* call : {"cumsum.default(a, 0)", "cumsum.default(a, -1)", "cumprod.default(a, 1)"})
      ExpectLowered(OneCall(call, 1), {layout});
}

}  // namespace
}  // namespace culprit::compiler::lower
