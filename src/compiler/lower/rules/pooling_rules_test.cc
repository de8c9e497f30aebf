// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::CompareLowered;
using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

constexpr const char* kImages[] = {"f32[2,3,7,9]", "f64[2,3,7,9] cl", "f32[3,8,8]", "f32[1,2,9,7] t"};

TEST(PoolingRulesTest, MaxPoolingAgreesWithEager) {
  for (const char* arguments :
       {"[3, 3], [2, 2], [1, 1]", "[2, 2], [2, 2]", "[2, 3], [1, 2], [1, 0]", "[3], [2], [1]",
        "[3, 3], [2, 2], [1, 1], [1, 1], True", "[2, 2], [2, 2], [0, 0], [2, 2]", "[2, 2]"})
    for (const char* image : kImages)
      ExpectLowered(OneCall(std::string("max_pool2d_with_indices.default(a, ") + arguments + ")", 1, 2),
                    {image});
}

TEST(PoolingRulesTest, OfNansMaxPoolingFindsTheLast) {
  for (const char* image : {"f32[2,3,17,9] special", "f64[2,3,17,9] special", "bf16[2,3,17,9] special"})
    ExpectLowered(OneCall("max_pool2d_with_indices.default(a, [3, 3], [2, 2], [1, 1])", 1, 2), {image});
}

TEST(PoolingRulesTest, WhereNothingIsLargerThanPaddingTheFirstOfTheImageIsFound) {
  const at::Tensor least = at::full({1, 1, 6, 6}, -INFINITY);
  for (const char* windows : {"[3, 3], [2, 2], [1, 1]", "[3, 3], [2, 2], [1, 1], [2, 2]"}) {
    const std::string call = std::string("max_pool2d_with_indices.default(a, ") + windows + ")";
    EXPECT_EQ(CompareLowered(OneCall(call, 1, 2), {least}).difference, "") << windows;
  }
}

TEST(PoolingRulesTest, AveragePoolingAgreesWithEager) {
  for (const char* arguments :
       {"[2, 2], [2, 2]", "[3, 3], [2, 2], [1, 1]", "[3, 3], [2, 2], [1, 1], True, False",
        "[3, 2], [2, 1], [1, 1], True, True", "[2, 2], [2, 2], [0, 0], False, True, 3"})
    for (const char* image : kImages)
      ExpectLowered(OneCall(std::string("avg_pool2d.default(a, ") + arguments + ")", 1), {image});
}

TEST(PoolingRulesTest, AdaptiveAveragePoolingAgreesWithEager) {
  for (const char* image : {"f32[2,3,6,9]", "f32[2,3,6,9] cl", "f64[3,6,9]"})
    for (const char* sizes : {"[1, 1]", "[3, 3]", "[6, 9]", "[2, 1]"})
      ExpectLowered(OneCall(std::string("_adaptive_avg_pool2d.default(a, ") + sizes + ")", 1), {image});
  ExpectCall(OneCall("_adaptive_avg_pool2d.default(a, [4, 4])", 1), {"f32[2,3,6,9]"});
}

TEST(PoolingRulesTest, GradientsOfMaxPoolingAgreeWithEager) {
  const auto text = [](const std::string& windows) {
    return "x\ny, i = max_pool2d_with_indices.default(x, " + windows +
           ")\n"
           "g = exp.default(y)\n"
           "dx = max_pool2d_with_indices_backward.default(g, x, " +
           windows + ", i)\nreturn (dx,)";
  };
  for (const char* windows :
       {"[3, 3], [2, 2], [1, 1], [1, 1], False", "[2, 2], [2, 2], [0, 0], [1, 1], False",
        "[3, 2], [1, 1], [1, 1], [1, 1], True"})
    for (const char* image : {"f32[2,3,7,9]", "f32[2,3,7,9] cl", "f64[3,8,8]"})
      ExpectLowered(text(windows), {image});
}

TEST(PoolingRulesTest, PlacesFromElsewhereAreForCalls) {
  ExpectCall(
      OneCall("max_pool2d_with_indices_backward.default(a, b, [2, 2], [2, 2], [0, 0], [1, 1], False, c)", 3),
      {"f32[1,2,2,2]", "f32[1,2,4,4]", "i64[1,2,2,2] below 16"});
}

TEST(PoolingRulesTest, GradientsOfAveragePoolingAgreeWithEager) {
  const std::string call = "avg_pool2d_backward.default(a, b, ";
  ExpectLowered(OneCall(call + "[2, 2], [2, 2], [0, 0], False, True, None)", 2),
                {"f32[2,3,3,4]", "f32[2,3,7,9]"});
  ExpectLowered(OneCall(call + "[3, 3], [2, 2], [1, 1], False, False, None)", 2),
                {"f32[2,3,4,5]", "f32[2,3,7,9]"});
  ExpectLowered(OneCall(call + "[3, 3], [2, 2], [1, 1], False, True, None)", 2),
                {"f64[2,3,4,5]", "f64[2,3,7,9]"});
  for (const char* g : {"f32[2,3,1,1]", "f32[2,3,2,3]"})
    ExpectLowered(OneCall("_adaptive_avg_pool2d_backward.default(a, b)", 2), {g, "f32[2,3,6,9]"});
}

TEST(PoolingRulesTest, UpsamplingAgreesWithEager) {
  for (const char* image : {"f32[2,3,4,5]", "f64[2,3,4,5] cl", "f32[1,2,5,4] t"}) {
    for (const char* call :
         {"upsample_nearest2d.default(a, [8, 10])", "upsample_nearest2d.default(a, [7, 3])",
          "upsample_nearest2d.default(a, [12, 15], 3.0, 3.0)", "upsample_nearest2d.vec(a, None, [2.0, 2.0])",
          "upsample_bilinear2d.default(a, [8, 10], False)", "upsample_bilinear2d.default(a, [7, 3], True)",
          "upsample_bilinear2d.default(a, [1, 9], True)",
          "upsample_bilinear2d.vec(a, None, True, [2.0, 2.0])"})
      ExpectLowered(OneCall(call, 1), {image});
  }
  for (const char* call : {"upsample_nearest2d.default(a, [9, 11], 2.3, 2.3)",
                           "upsample_bilinear2d.default(a, [9, 11], False, 2.3, 2.3)"})
    ExpectLowered(OneCall(call, 1), {"f32[2,3,4,5]"});
  ExpectLowered(OneCall("upsample_nearest2d_backward.default(a, [8, 10], [2, 3, 4, 5])", 1),
                {"f32[2,3,8,10]"});
}

// One channel lies in channels_last, too.
constexpr const char* kLayouts[] = {"[1,3,2,4]", "[1,3,2,4] cl", "[1,1,2,4]", "[2,3,2,4] t"};

TEST(PoolingRulesTest, WholeFactorsThatRoundingMissesTakeThePixelsOfEager) {
  for (const std::string dtype : {"f32", "f64", "bf16", "u8"})
    for (const char* layout : kLayouts)
      for (const char* call :
           {"upsample_nearest2d.default(a, [82, 188])", "upsample_nearest2d.default(a, [110, 244])",
            "upsample_nearest2d.default(a, [600, 20])", "upsample_nearest2d.vec(a, None, [41.0, 47.0])"})
        ExpectLowered(OneCall(call, 1), {dtype + layout});
}

TEST(PoolingRulesTest, PixelsAreThoseOfEagerWhereSizesAreNumbersOfTheProgram) {
  LowerOptions symbolic;
  symbolic.symbolic = true;
  for (const char* call :
       {"upsample_nearest2d.default(a, [82, 188])", "upsample_nearest2d.default(a, [6, 8])",
        "upsample_nearest2d.vec(a, None, [2.2, 1.1])"})
    for (const char* layout : kLayouts)
      ExpectLowered(OneCall(call, 1), {std::string("f32") + layout}, symbolic);
}

TEST(PoolingRulesTest, AScaleBesideTheSizesTakesThePixelsOfEager) {
  for (const std::string dtype : {"f32", "f64", "bf16", "u8"})
    for (const char* layout : kLayouts)
      for (const char* scales : {"[1.2, 1.1]", "[2.2, 2.1]", "[3.3, 3.1]", "[1.2, 2.1]"})
        ExpectLowered(OneCall(std::string("upsample_nearest2d.vec(a, None, ") + scales + ")", 1),
                      {dtype + layout});
}

TEST(PoolingRulesTest, GradientsOfPixelsGoWhereTheyCameFrom) {
  for (const char* layout : {"", " cl"}) {
    const std::string gradient = std::string("f32[1,3,4,8]") + layout;
    ExpectLowered(OneCall("upsample_nearest2d_backward.default(a, [4, 8], [1, 3, 2, 4], 2.2, 2.1)", 1),
                  {gradient});
    ExpectLowered(OneCall("upsample_nearest2d_backward.default(a, [4, 8], [1, 3, 4, 8], 1.2, 1.1)", 1),
                  {gradient});
    ExpectLowered(OneCall("upsample_nearest2d_backward.default(a, [6, 12], [1, 3, 2, 4])", 1),
                  {std::string("f32[1,3,6,12]") + layout});
    ExpectCall(OneCall("upsample_nearest2d_backward.default(a, [82, 188], [1, 3, 2, 4])", 1),
               {std::string("f32[1,3,82,188]") + layout});
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
