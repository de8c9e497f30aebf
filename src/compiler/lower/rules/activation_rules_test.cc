// SPDX-License-Identifier: Apache-2.0
#include <ATen/Context.h>
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::CompareLowered;
using tests::Numbers;
using tests::OneCall;

constexpr const char* kDtypes[] = {"f32", "f64", "bf16", "f16", "i64", "bool"};

/// On special numbers, as many as fill vectors: libtorch's scalar code treats NaN in other ways. In all
/// dtypes and some layouts that eager takes.
void Sweep(const std::string& call, size_t inputs, size_t results = 1) {
  size_t compared = 0;
  for (const std::string dtype : kDtypes) {
    for (const std::string layout : {"[8,8] special", "[6,7] t", "[3,4] step", "[0,2]", "[1]"}) {
      const std::string where = call + " on " + dtype + layout;
      std::vector<c10::IValue> operands;
      for (size_t i = 0; i < inputs; ++i) {
        // The gradients that come in are ordinary numbers.
        const bool is_gradient = inputs > 1 && i == 0;
        operands.emplace_back(
            Numbers(dtype + (is_gradient ? layout.substr(0, layout.find(']') + 1) : layout)));
      }
      try {
        const tests::Lowered lowered = CompareLowered(OneCall(call, inputs, results), operands);
        EXPECT_EQ(lowered.difference, "") << where;
        compared += lowered.loops;
      } catch (const std::exception& error) {
        ADD_FAILURE() << where << " throws " << error.what();
      }
    }
  }
  EXPECT_GT(compared, 0U) << call;
}

// oneDNN's gelu of infinity is NaN, where it has more than one number to compute.
TEST(ActivationRulesTest, GeluAgreesWithEagersOwnKernel) {
  at::globalContext().setUserEnabledMkldnn(false);
  Sweep("gelu.default(a)", 1);
  at::globalContext().setUserEnabledMkldnn(true);
}

TEST(ActivationRulesTest, ActivationsAgreeWithEager) {
  for (const char* call :
       {"relu.default(a)", "silu.default(a)", "mish.default(a)", "hardswish.default(a)",
        "hardsigmoid.default(a)", "gelu.default(a, approximate='tanh')", "leaky_relu.default(a, 0.1)",
        "elu.default(a)", "elu.default(a, 0.5, 2.0, 1.5)", "celu.default(a, 0.7)", "selu.default(a)",
        "softplus.default(a)", "softplus.default(a, 2.0, 3.0)", "hardshrink.default(a)",
        "softshrink.default(a)", "hardtanh.default(a)", "hardtanh.default(a, 0, 6)",
        "threshold.default(a, 0.5, 7)"})
    Sweep(call, 1);
  Sweep("log_sigmoid_forward.default(a)", 1, 2);
}

TEST(ActivationRulesTest, TheirGradientsAgreeWithEager) {
  for (const char* call :
       {"sigmoid_backward.default(a, b)", "tanh_backward.default(a, b)", "silu_backward.default(a, b)",
        "mish_backward.default(a, b)", "hardswish_backward.default(a, b)",
        "hardtanh_backward.default(a, b, 0, 6)", "hardshrink_backward.default(a, b, 0.5)",
        "softshrink_backward.default(a, b, 0.5)", "hardsigmoid_backward.default(a, b)",
        "gelu_backward.default(a, b)", "gelu_backward.default(a, b, approximate='tanh')",
        "threshold_backward.default(a, b, 0)", "leaky_relu_backward.default(a, b, 0.1, False)",
        "elu_backward.default(a, 0.5, 2.0, 1.5, False, b)", "elu_backward.default(a, 0.5, 2.0, 1.5, True, b)",
        "softplus_backward.default(a, b, 2.0, 3.0)"})
    Sweep(call, 2);
}

TEST(ActivationRulesTest, ChoicesAndPowersAgreeWithEager) {
  for (const char* call :
       {"clamp.default(a, -1, 2)", "clamp.default(a, 0.5)", "clamp.default(a, None, 0.5)",
        "clamp_min.default(a, 1)", "clamp_max.default(a, 1)", "pow.Tensor_Scalar(a, 2)",
        "pow.Tensor_Scalar(a, 3)", "pow.Tensor_Scalar(a, 0.5)", "pow.Tensor_Scalar(a, -1)",
        "pow.Tensor_Scalar(a, -0.5)", "pow.Tensor_Scalar(a, -2)", "pow.Tensor_Scalar(a, 2.5)",
        "pow.Tensor_Scalar(a, 0)", "pow.Tensor_Scalar(a, 1)", "pow.Scalar(2.5, a)"})
    Sweep(call, 1);
  for (const char* call : {"clamp.Tensor(a, b)", "clamp_min.Tensor(a, b)", "pow.Tensor_Tensor(a, b)",
                           "addcmul.default(a, b, b, value=2)", "addcdiv.default(a, b, b, value=0.5)",
                           "lerp.Scalar(a, b, 0.3)", "lerp.Scalar(a, b, 0.7)", "xlogy.Tensor(a, b)"})
    Sweep(call, 2);
  Sweep("lerp.Tensor(a, b, c)", 3);
}

TEST(ActivationRulesTest, MasksAgreeWithEager) {
  for (const std::string dtype : {"f32", "bf16", "i64", "bool"}) {
    tests::ExpectLowered(OneCall("where.self(a, b, c)", 3), {"bool[3,1]", dtype + "[3,4]", dtype + "[4]"});
    tests::ExpectLowered(OneCall("masked_fill.Scalar(a, b, 1)", 2), {dtype + "[3,4] t", "bool[4]"});
    tests::ExpectLowered(OneCall("masked_fill.Tensor(a, b, c)", 3),
                         {dtype + "[3,4]", "bool[4]", dtype + "[]"});
  }
}

TEST(ActivationRulesTest, WeightsOfPreluAreBroadcast) {
  for (const std::string dtype : {"f32", "f64", "bf16", "f16"})
    for (const char* weight : {"[3,1]", "[1]", "[2,3,4]"}) {
      const std::vector<std::string> inputs = {dtype + "[2,3,4]", dtype + weight};
      tests::ExpectLowered(OneCall("_prelu_kernel.default(a, b)", 2), inputs);
      tests::ExpectLowered(OneCall("_prelu_kernel_backward.default(a, a, b)", 2, 2), inputs);
    }
}

}  // namespace
}  // namespace culprit::compiler::lower
