// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectLowered;
using tests::OneCall;

TEST(LayerNormRulesTest, LayerNormAgreesWithEager) {
  for (const std::string dtype : {"f32", "f64", "bf16"}) {
    const std::string row = dtype + "[6]";
    for (const std::string layout : {"[2,3,6]", "[4,6] t", "[4,6] step", "[1,6]", "[6]"}) {
      ExpectLowered(OneCall("native_layer_norm.default(a, [6], b, c, 1e-5)", 3, 3),
                    {dtype + layout, row, row});
      ExpectLowered(OneCall("native_layer_norm.default(a, [6], None, None, 0.1)", 1, 3), {dtype + layout});
    }
    ExpectLowered(OneCall("native_layer_norm.default(a, [3, 6], b, None, 1e-5)", 2, 3),
                  {dtype + "[2,3,6]", dtype + "[3,6]"});
  }
}

TEST(LayerNormRulesTest, ItsGradientsAgreeWithEager) {
  const std::string text =
      "g, x, w, b\n"
      "y, m, s = native_layer_norm.default(x, [6], w, b, 1e-5)\n"
      "dx, dw, db = native_layer_norm_backward.default(g, x, [6], m, s, w, b, [True, True, True])\n"
      "return (dx, dw, db)";
  for (const std::string dtype : {"f32", "f64"}) {
    ExpectLowered(text, {dtype + "[2,3,6]", dtype + "[2,3,6]", dtype + "[6]", dtype + "[6]"});
    ExpectLowered(text, {dtype + "[4,6] t", dtype + "[4,6]", dtype + "[6]", dtype + "[6]"});
  }
}

TEST(LayerNormRulesTest, GradientsThatNobodyAsksForAreLeftOut) {
  ExpectLowered(
      "g, x\n"
      "y, m, s = native_layer_norm.default(x, [6], None, None, 1e-5)\n"
      "dx, dw, db = native_layer_norm_backward.default(g, x, [6], m, s, None, None, [True, False, False])\n"
      "return (dx,)",
      {"f32[4,6]", "f32[4,6]"});
}

}  // namespace
}  // namespace culprit::compiler::lower
