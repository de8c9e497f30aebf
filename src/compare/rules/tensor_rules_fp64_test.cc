// SPDX-License-Identifier: Apache-2.0
//
// What an fp64 reference adds to the rules: rounding is told from wrong numbers.
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compare/rules/tensor_rules.h"

namespace culprit::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// A reference of ones and a result of `factor`, where fp64 is 0: E_reference = 1, E_result = factor.
Output JudgeFactor(int64_t elements, float factor, const Options& options) {
  return JudgeNumbers("", at::ones({elements}), at::full({elements}, factor),
                      at::zeros({elements}, at::kDouble), options);
}

/// The examples that PyTorch's own tests assert.
TEST(Fp64ExamplesTest, HundredElementsOf2TimesTheErrorPassAndOf4TimesFail) {
  for (const Revision revision : {Revision::kA, Revision::kB}) {
    const Options options{.tolerance = 0.04, .revision = revision};
    EXPECT_TRUE(JudgeFactor(100, 2, options).passes);
    EXPECT_FALSE(JudgeFactor(100, 4, options).passes);
  }
}

TEST(Fp64ExamplesTest, WithTheOptionHundredElementsOf4TimesPassAndOf6InAAnd9InBFail) {
  Options options{.tolerance = 0.04, .larger_multiplier_for_small = true, .revision = Revision::kA};
  EXPECT_TRUE(JudgeFactor(100, 4, options).passes);
  EXPECT_FALSE(JudgeFactor(100, 6, options).passes);
  options.revision = Revision::kB;
  EXPECT_TRUE(JudgeFactor(100, 4, options).passes);
  EXPECT_TRUE(JudgeFactor(100, 6, options).passes);
  EXPECT_FALSE(JudgeFactor(100, 9, options).passes);
}

TEST(Fp64ExamplesTest, OneElementOf7TimesPassesWithTheOptionOnlyAndOf20Never) {
  for (const Revision revision : {Revision::kA, Revision::kB}) {
    Options options{.tolerance = 0.04, .revision = revision};
    EXPECT_FALSE(JudgeFactor(1, 7, options).passes);
    options.larger_multiplier_for_small = true;
    EXPECT_TRUE(JudgeFactor(1, 7, options).passes);
    EXPECT_FALSE(JudgeFactor(1, 20, options).passes);
  }
}

TEST(Fp64ExamplesTest, NanAgainstNanWithFp64Of5PassesIfNanEqualsNan) {
  const at::Tensor nan = at::full({1}, kNan);
  const at::Tensor fp64 = at::full({1}, 5, at::kDouble);
  EXPECT_TRUE(JudgeNumbers("", nan, nan.clone(), fp64, {.equal_nan = true}).passes);
  EXPECT_FALSE(JudgeNumbers("", nan, nan.clone(), fp64, {}).passes);
}

TEST(Fp64RuleTest, ShowsItsNumbers) {
  const Output output = JudgeFactor(2000, 2, {});
  EXPECT_TRUE(output.passes);
  EXPECT_EQ(output.rule, Rule::kFp64);
  EXPECT_EQ(output.multiplier, 2);
  EXPECT_EQ(output.rmse_reference_fp64, 1);
  EXPECT_EQ(output.rmse_result_fp64, 2);
  EXPECT_EQ(output.rmse, 1);
}

// 2000 elements: m = 2.
TEST(Fp64RuleTest, ATenthOfTheToleranceIsAllowedOnTop) {
  const auto judge = [](double beyond) {
    return JudgeNumbers("", at::ones({2000}, at::kDouble), at::full({2000}, 2 + beyond, at::kDouble),
                        at::zeros({2000}, at::kDouble), {.tolerance = 0.01})
        .passes;
  };
  EXPECT_TRUE(judge(0.00099));
  EXPECT_FALSE(judge(0.00101));
}

TEST(Fp64RuleTest, AFloat64OutputIsItsOwnReference) {
  const at::Tensor reference = at::zeros({1}, at::kDouble);
  const auto judge = [&](double result) {
    return JudgeNumbers("", reference, at::full({1}, result, at::kDouble), std::nullopt,
                        {.tolerance = 1e-4, .revision = Revision::kB});
  };
  EXPECT_EQ(judge(0.9e-4).rule, Rule::kAllClose);
  EXPECT_EQ(judge(1.1e-4).rule, Rule::kFp64);
  EXPECT_FALSE(judge(1.1e-4).passes);
  // One element of 1000 is 2e-4 off: an RMSE of 6.3e-6 is below 1e-5.
  at::Tensor result = at::zeros({1000}, at::kDouble);
  result[0] = 2e-4;
  EXPECT_TRUE(
      JudgeNumbers("", at::zeros({1000}, at::kDouble), result, std::nullopt, {.revision = Revision::kB})
          .passes);
}

TEST(Fp64RuleTest, AReferenceOfAnotherDtypeIsNotUsed) {
  const Output output = JudgeNumbers("", at::ones({10}), at::full({10}, 2.0F), at::zeros({10}), {});
  EXPECT_FALSE(output.passes);
  EXPECT_EQ(output.rule, Rule::kAllClose);
  EXPECT_FALSE(output.rmse_reference_fp64);
}

TEST(Fp64RuleTest, HoldsForComplexNumbersToo) {
  const at::Tensor zeros = at::zeros({10}, at::kComplexDouble);
  const at::Tensor reference = at::ones({10}, at::kComplexFloat);
  EXPECT_TRUE(JudgeNumbers("", reference, reference * 3, zeros, {}).passes);
  EXPECT_FALSE(JudgeNumbers("", reference, reference * 4, zeros, {}).passes);
}

TEST(Fp64RuleTest, NanInTheResultOnlyFails) {
  const Options options{.equal_nan = true};
  EXPECT_FALSE(
      JudgeNumbers("", at::ones({1}), at::full({1}, kNan), at::ones({1}, at::kDouble), options).passes);
}

// PyTorch passes as soon as there is a NaN in each of the two.
TEST(Fp64RuleTest, NanOnBothSidesDoesNotExcuseOtherNumbers) {
  const Options options{.equal_nan = true};
  const at::Tensor reference = at::tensor({kNan, 1.0F});
  const at::Tensor fp64 = at::tensor({5.0, 0.0});
  EXPECT_TRUE(JudgeNumbers("", reference, at::tensor({kNan, 2.0F}), fp64, options).passes);
  EXPECT_FALSE(JudgeNumbers("", reference, at::tensor({kNan, 9.0F}), fp64, options).passes);
  EXPECT_FALSE(JudgeNumbers("", reference, at::tensor({1.0F, kNan}), fp64, options).passes);
}

// PyTorch computes inf - inf there, so that both errors are NaN.
TEST(Fp64RuleTest, AgreeingInfinitiesDoNotHideTheRest) {
  const at::Tensor fp64 = at::tensor({-kInf, 0.0});
  const at::Tensor reference = at::tensor({-kInf, 1.0}).to(at::kFloat);
  EXPECT_TRUE(JudgeNumbers("", reference, at::tensor({-kInf, 2.0}).to(at::kFloat), fp64, {}).passes);
  EXPECT_FALSE(
      JudgeNumbers("", reference, at::tensor({-kInf, 9.0}).to(at::kFloat), fp64, {.equal_nan = true}).passes);
}

TEST(NanRescueTest, InBANanOfTheReferenceIsForgivenWithin004OfFp64) {
  const auto judge = [](double result, Revision revision) {
    return JudgeNumbers("", at::tensor({kNan, 1.0F}), at::tensor({static_cast<float>(result), 1.0F}),
                        at::tensor({0.0, 1.0}), {.revision = revision});
  };
  EXPECT_TRUE(judge(0.0415, Revision::kB).passes) << "0.0415 <= 0.04 + 0.04 * 0.0415";
  EXPECT_EQ(judge(0.0415, Revision::kB).rule, Rule::kNanRescue);
  EXPECT_FALSE(judge(0.042, Revision::kB).passes);
  EXPECT_FALSE(judge(0.0, Revision::kA).passes);
}

TEST(NanRescueTest, NeedsNumbersInFp64AndInTheResult) {
  const at::Tensor reference = at::tensor({kNan, kNan});
  EXPECT_FALSE(JudgeNumbers("", reference, at::tensor({1.0F, kNan}), at::tensor({1.0, 1.0}), {}).passes);
  EXPECT_FALSE(
      JudgeNumbers("", reference, at::tensor({1.0F, 1.0F}), at::tensor({1.0, double{kNan}}), {}).passes);
}

// PyTorch issue 86816: a quotient of x - tanh(x), in which nearly all digits cancel. Eager and compiled code
// differ in a third of the elements and are equally far from the truth; nobody is to blame.
TEST(CancellationTest, TwoRunsThatAreBothNoiseAgree) {
  const auto tanh = [](const at::Tensor& v) { return v.tanh(); };
  // As exact as the other one for small numbers, but rounded differently.
  const auto other_tanh = [](const at::Tensor& v) {
    const at::Tensor square = v * v;
    return v * (1 - square / 3 + square * square * 2 / 15);
  };
  const auto quotient = [](const auto& t, const at::Tensor& v) {
    return (v - t(v)) / (v * 1.5 - t(v * 1.5));
  };
  const at::Tensor x = at::linspace(2e-3, 4e-3, 4096, at::kFloat);
  const at::Tensor reference = quotient(tanh, x);
  const at::Tensor result = quotient(other_tanh, x);
  const at::Tensor fp64 = quotient(tanh, x.to(at::kDouble));

  const Output noise = JudgeNumbers("", reference, result, fp64, {});
  EXPECT_GT(noise.mismatching, 1000);
  EXPECT_GT(noise.rmse_reference_fp64.value(), 1e-3);
  EXPECT_TRUE(noise.passes) << *noise.rmse_reference_fp64 << " " << *noise.rmse_result_fp64;
  EXPECT_EQ(noise.rule, Rule::kFp64);
  EXPECT_FALSE(JudgeNumbers("", reference, result * 1.5, fp64, {}).passes)
      << "a wrong result is found in spite of it";
}

}  // namespace
}  // namespace culprit::compare
