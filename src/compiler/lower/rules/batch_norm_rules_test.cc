// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

TEST(BatchNormRulesTest, InferenceAgreesWithEager) {
  const std::string call = OneCall("native_batch_norm.default(a, b, c, d, e, False, 0.1, 1e-5)", 5, 3);
  for (const std::string layout : {"[2,3,4,5]", "[2,3,4,5] cl", "[4,3]", "[2,3,5] t", "[1,3,2]"})
    ExpectLowered(call, {"f32" + layout, "f32[3]", "f32[3]", "f32[3]", "f32[3] positive"});
  ExpectLowered(call, {"f64[2,3,4]", "f64[3]", "f64[3]", "f64[3]", "f64[3] positive"});
  ExpectLowered(call, {"bf16[2,3,4]", "bf16[3]", "bf16[3]", "bf16[3]", "bf16[3] positive"});
  ExpectLowered(OneCall("native_batch_norm.default(a, None, None, b, c, False, 0.1, 1e-5)", 3, 3),
                {"f32[2,3,4]", "f32[3]", "f32[3] positive"});
}

TEST(BatchNormRulesTest, TrainingAgreesWithEager) {
  for (const std::string dtype : {"f32", "f64"})
    for (const std::string layout : {"[2,3,4,5]", "[2,3,4,5] cl", "[4,3]", "[2,3,5] t"})
      ExpectLowered(OneCall("native_batch_norm.default(a, b, c, None, None, True, 0.1, 1e-5)", 3, 3),
                    {dtype + layout, dtype + "[3]", dtype + "[3]"});
}

TEST(BatchNormRulesTest, StatisticsAgreeWithEager) {
  for (const std::string dtype : {"f32", "f64", "bf16"})
    for (const std::string layout : {"[2,3,4,5]", "[2,3,4,5] cl", "[4,3]", "[2,3,5] t"})
      ExpectLowered(OneCall("batch_norm_update_stats.default(a, None, None, 0.1)", 1, 2), {dtype + layout});
}

TEST(BatchNormRulesTest, StatisticsBesideTheirBatchNormCostNoSums) {
  const std::string norm =
      "x, w\ny, m, s = native_batch_norm.default(x, w, None, None, None, True, 0.1, 1e-5)\n";
  const std::string both = norm + "a, v = batch_norm_update_stats.default(x, None, None, 0.1)\n";
  const auto sums = [](const std::string& text, const std::string& x, const std::string& w) {
    const loops::LoopProgram program = tests::LowerText(text, {tests::Numbers(x), tests::Numbers(w)});
    return std::ranges::count_if(program.values, [](const loops::Value& value) {
      return value.loop && value.loop->kind == loops::LoopKind::kReduction;
    });
  };
  for (const auto& [x, w] : {std::pair("f32[2,3,4,5]", "f32[3]"), std::pair("bf16[2,3,4,5]", "f32[3]"),
                             std::pair("bf16[2,3,4,5]", "bf16[3]")}) {
    EXPECT_EQ(sums(norm + "return (y,)", x, w), 2);
    EXPECT_EQ(sums(both + "return (y, v)", x, w), 2);
  }
}

TEST(BatchNormRulesTest, WhatWritesRunningStatisticsIsACall) {
  ExpectCall(OneCall("native_batch_norm.default(a, b, c, d, e, True, 0.1, 1e-5)", 5, 3),
             {"f32[2,3,4]", "f32[3]", "f32[3]", "f32[3]", "f32[3] positive"});
}

TEST(BatchNormRulesTest, GradientsAgreeWithEager) {
  const std::string training =
      "g, x, w\n"
      "y, m, s = native_batch_norm.default(x, w, None, None, None, True, 0.1, 1e-5)\n"
      "dx, dw, db = native_batch_norm_backward.default(g, x, w, None, None, m, s, True, 1e-5, [True, True, "
      "True])\n"
      "return (dx, dw, db)";
  const std::string inference =
      "g, x, w, m, v\n"
      "dx, dw, db = native_batch_norm_backward.default(g, x, w, m, v, None, None, False, 1e-5, [True, True, "
      "True])\n"
      "return (dx, dw, db)";
  for (const std::string layout : {"f32[2,3,4,5]", "f32[2,3,4,5] cl", "f32[4,3]"}) {
    ExpectLowered(training, {layout, layout, "f32[3]"});
    ExpectLowered(inference, {layout, layout, "f32[3]", "f32[3]", "f32[3] positive"});
  }
}

TEST(BatchNormRulesTest, GroupNormAgreesWithEager) {
  for (const std::string dtype : {"f32", "f64"}) {
    ExpectLowered(OneCall("native_group_norm.default(a, b, c, 2, 6, 20, 3, 1e-5)", 3, 3),
                  {dtype + "[2,6,4,5]", dtype + "[6]", dtype + "[6]"});
    ExpectLowered(OneCall("native_group_norm.default(a, None, None, 2, 6, 1, 6, 0.1)", 1, 3),
                  {dtype + "[2,6]"});
    ExpectLowered(OneCall("native_group_norm.default(a, b, None, 2, 6, 5, 1, 1e-5)", 2, 3),
                  {dtype + "[2,6,5]", dtype + "[6]"});
  }
}

TEST(BatchNormRulesTest, GroupNormOfWhatLibtorchRefusesOrReadsAsContiguousIsACall) {
  const std::string norm = OneCall("native_group_norm.default(a, b, b, 2, 6, 20, 3, 1e-5)", 2, 3);
  const auto refused = tests::LowerText(norm, {tests::Numbers("f32[2,6,4,5] t"), tests::Numbers("f32[6]")});
  for (const loops::Value& value : refused.values) EXPECT_EQ(value.loop, nullptr) << value.name;
  ExpectLowered(norm, {"f32[2,6,4,5] cl", "f32[6]"});
  ExpectCall(
      OneCall("native_group_norm_backward.default(a, b, c, c, d, 2, 6, 20, 3, [True, True, True])", 4, 3),
      {"f32[2,6,4,5] t", "f32[2,6,4,5]", "f32[2,3]", "f32[6]"});
}

TEST(BatchNormRulesTest, TheGradientsOfGroupNormAgreeWithEager) {
  ExpectLowered(
      "g, x, w\n"
      "y, m, s = native_group_norm.default(x, w, None, 2, 6, 20, 3, 1e-5)\n"
      "dx, dw, db = native_group_norm_backward.default(g, x, m, s, w, 2, 6, 20, 3, [True, True, True])\n"
      "return (dx, dw, db)",
      {"f32[2,6,4,5]", "f32[2,6,4,5]", "f32[6]"});
}

}  // namespace
}  // namespace culprit::compiler::lower
