// SPDX-License-Identifier: Apache-2.0
//
// What rules have in common, on graphs of several operators.
#include "compiler/lower/call.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/compare_lowered.h"
#include "tests/lib/evaluate_loops.h"
#include "tests/lib/short_graph.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectLowered;
using tests::Numbers;

constexpr const char* kChain =
    "x, y\n"
    "a = mul.Tensor(x, y)\n"
    "b = add.Tensor(a, x)\n"
    "c = sub.Tensor(b, y)\n"
    "d = neg.default(c)\n"
    "e = mul.Tensor(d, 0.3)\n"
    "return (e,)";

std::string TextOf(const std::string& text, const char* dtype, bool exact) {
  LowerOptions options;
  options.exact = exact;
  return ToText(tests::LowerText(
      text, {Numbers(std::string(dtype) + "[4,8]"), Numbers(std::string(dtype) + "[8]")}, options));
}

TEST(CallTest, ExactModeRoundsBehindEveryOperatorAndTheOtherNowhere) {
  EXPECT_NE(TextOf(kChain, "bf16", true).find("round_to_bfloat16"), std::string::npos);
  EXPECT_NE(TextOf(kChain, "f16", true).find("round_to_half"), std::string::npos);
  EXPECT_EQ(TextOf(kChain, "bf16", false).find("round_to"), std::string::npos);
  EXPECT_EQ(TextOf(kChain, "f32", true).find("round_to"), std::string::npos);
}

TEST(CallTest, InExactModeChainsGiveTheBitsOfEager) {
  const at::NoGradGuard no_grad;
  LowerOptions options;
  options.exact = true;
  for (const std::string dtype : {"f32", "f64", "bf16", "f16"}) {
    const std::vector<c10::IValue> inputs = {Numbers(dtype + "[4,8]"), Numbers(dtype + "[8]")};
    const loops::LoopProgram program = tests::LowerText(kChain, inputs, options);
    const at::Tensor eager = graph::Interpreter(*program.graph).Run(inputs)[0].toTensor();
    const at::Tensor lowered = tests::OutputsOf(program, tests::EvaluateLoops(program, inputs))[0].toTensor();
    EXPECT_TRUE(eager.equal(lowered)) << dtype;
  }
}

TEST(CallTest, AFactorOrDivisorThatIsOneNumberKeepsItsDigits) {
  const at::NoGradGuard no_grad;
  LowerOptions options;
  options.exact = true;
  for (const char* call :
       {"mul.Tensor(x, 0.3171)", "mul.Tensor(x, s)", "mul.Tensor(s, x)", "div.Tensor(x, 0.3171)",
        "div.Tensor(x, s)", "div.Tensor(s, x)", "div.Tensor_mode(x, s, rounding_mode='floor')",
        "div.Tensor_mode(x, s, rounding_mode='trunc')", "floor_divide.default(x, s)",
        "remainder.Tensor(x, s)", "fmod.Tensor(x, s)", "add.Tensor(x, s)", "sub.Tensor(x, s)"})
    for (const at::ScalarType dtype : {at::kBFloat16, at::kHalf}) {
      const std::vector<c10::IValue> inputs = {at::arange(-500, 500).to(dtype).div(96),
                                               at::scalar_tensor(0.3171, at::kFloat)};
      const loops::LoopProgram program =
          tests::LowerText(fmt::format("x, s\ny = {}\nreturn (y,)", call), inputs, options);
      const at::Tensor eager = graph::Interpreter(*program.graph).Run(inputs)[0].toTensor();
      const at::Tensor lowered =
          tests::OutputsOf(program, tests::EvaluateLoops(program, inputs))[0].toTensor();
      EXPECT_TRUE(eager.equal(lowered)) << call << " " << dtype;
    }
}

TEST(CallTest, AnOperandHasNoMoreDigitsThanTheDtypeItMeets) {
  const std::vector<c10::IValue> inputs = {at::full({4}, 2.25, at::kBFloat16), at::scalar_tensor(2.2455)};
  const tests::Lowered lowered = tests::CompareLowered("x, y\nz = le.Tensor(x, y)\nreturn (z,)", inputs);
  EXPECT_EQ(lowered.difference, "");
  EXPECT_EQ(lowered.loops, 1U);
}

TEST(CallTest, SizesThatTheGraphComputesAreNumbers) {
  LowerOptions symbolic;
  symbolic.symbolic = true;
  const std::string text =
      "x\n"
      "n = torch.ops.aten.sym_size.int(x, 0)\n"
      "v = torch.ops.aten.view.default(x, [n, 12])\n"
      "m = torch.ops.aten.mean.dim(v, [1], True)\n"
      "y = torch.ops.aten.sub.Tensor(v, m)\n"
      "return (y,)";
  ExpectLowered(text, {"f32[5,3,4]"}, symbolic);
  ExpectLowered(text, {"f32[5,3,4]"});
}

TEST(CallTest, ATransformerBlockAgreesWithEager) {
  ExpectLowered(
      "x, w, b\n"
      "y, m, s = native_layer_norm.default(x, [8], w, b, 1e-5)\n"
      "q = view.default(y, [2, 5, 2, 4])\n"
      "t = transpose.int(q, 1, 2)\n"
      "k = transpose.int(t, -1, -2)\n"
      "c = clone.default(t, memory_format=torch.contiguous_format)\n"
      "u = view.default(c, [4, 5, 4])\n"
      "z = _softmax.default(u, -1, False)\n"
      "g = gelu.default(z)\n"
      "h = view.default(g, [2, 2, 5, 4])\n"
      "p = permute.default(h, [0, 2, 1, 3])\n"
      "o = reshape.default(p, [2, 5, 8])\n"
      "r = add.Tensor(o, x)\n"
      "return (r, k)",
      {"f32[2,5,8]", "f32[8]", "f32[8]"});
}

}  // namespace
}  // namespace culprit::compiler::lower
