// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

TEST(ArrangementRulesTest, JoinedTensorsAgreeWithEager) {
  for (const std::string dtype : {"f32", "bf16", "i64", "bool"}) {
    ExpectLowered(OneCall("cat.default([a, b, c], 1)", 3),
                  {dtype + "[2,3]", dtype + "[2,1]", dtype + "[2,4] step"});
    ExpectLowered(OneCall("cat.default([a, b], -2)", 2), {dtype + "[2,3] t", dtype + "[4,3]"});
    ExpectLowered(OneCall("stack.default([a, b, a], 1)", 2), {dtype + "[2,3] t", dtype + "[2,3]"});
  }
  ExpectLowered(OneCall("cat.default([a], 0)", 1), {"f32[2,3]"});
  ExpectLowered(OneCall("cat.default([a, b, c], 0)", 3), {"f32[0]", "f32[2,3]", "f32[0,3]"});
  ExpectLowered(OneCall("cat.default([a, b], 0)", 2), {"f32[2]", "i64[3]"});
  ExpectCall(OneCall("cat.default([a, a, a, a, a, a, a, a, a], 0)", 1), {"f32[2]"});
}

TEST(ArrangementRulesTest, PaddedTensorsAgreeWithEager) {
  for (const char* call :
       {"constant_pad_nd.default(a, [1, 2])", "constant_pad_nd.default(a, [0, 3, 2, 0], 1.5)",
        "constant_pad_nd.default(a, [-1, 2, 1, -1], 2)", "constant_pad_nd.default(a, [0, -1])",
        "reflection_pad1d.default(a, [2, 1])", "replication_pad1d.default(a, [3, 0])",
        "reflection_pad2d.default(a, [2, 1, 1, 2])", "replication_pad2d.default(a, [0, 2, 3, 1])"})
    for (const char* input : {"f32[2,3,4]", "f64[2,4,3] t"}) ExpectLowered(OneCall(call, 1), {input});
  ExpectLowered(OneCall("reflection_pad2d.default(a, [2, 1, 1, 2])", 1), {"f32[2,2,4,4]"});
}

TEST(ArrangementRulesTest, TurnedAndRepeatedTensorsAgreeWithEager) {
  for (const char* call :
       {"flip.default(a, [0, -1])", "roll.default(a, [1, -2], [0, 1])", "roll.default(a, [7], [2])",
        "repeat.default(a, [2, 1, 3])", "repeat.default(a, [2, 1, 1, 2])"})
    for (const char* input : {"f32[2,3,4]", "i64[3,4,2] t", "bool[1,2,1]"})
      ExpectLowered(OneCall(call, 1), {input});
}

TEST(ArrangementRulesTest, GradientsOfPartsAgreeWithEager) {
  ExpectLowered(OneCall("slice_backward.default(a, [2, 9], 1, 1, 9, 3)", 1), {"f32[2,3]"});
  ExpectLowered(OneCall("slice_backward.default(a, [2, 9], 1, 2, 6, 1)", 1), {"f32[2,4]"});
  ExpectLowered(OneCall("select_backward.default(a, [2, 5, 3], 1, -2)", 1), {"f32[2,3]"});
}

TEST(ArrangementRulesTest, PartsThatAreExchangedAgreeWithEager) {
  for (const char* dtype : {"f32", "i64", "bf16"}) {
    const std::string whole = std::string(dtype) + "[3,9] t";
    ExpectLowered(OneCall("slice_scatter.default(a, b, 1, 1, 9, 3)", 2),
                  {whole, std::string(dtype) + "[3,3]"});
    ExpectLowered(OneCall("slice_scatter.default(a, b, 0, -2)", 2), {whole, std::string(dtype) + "[2,9]"});
    ExpectLowered(OneCall("slice_scatter.default(a, b)", 2), {whole, std::string(dtype) + "[3,9]"});
    ExpectLowered(OneCall("select_scatter.default(a, b, 1, -3)", 2), {whole, std::string(dtype) + "[3]"});
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
