// SPDX-License-Identifier: Apache-2.0
//
// Checks of whole graphs: gradients, mutated inputs, noise, and what a check leaves behind.
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/verdict/same_two_models.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;
using tests::FailingPaths;
using tests::TestGraph;

/// dropout(x * w / divisor).
GraphModel Scaling(double divisor) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", graph::PlaceholderKind::kParameter);
  const ValueId product = g.Call("aten::mul.Tensor", {x, w});
  const ValueId scaled = g.Call("aten::div.Tensor", {product, divisor});
  g.Return({g.Call("aten::dropout", {scaled, 0.5, true})});
  return GraphModel(g.graph());
}

GraphModel Adding(double number) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::add_.Tensor", {x, number});
  g.Return({});
  return GraphModel(g.graph());
}

/// (x + large) - large: nearly all digits of x are lost, in every run.
GraphModel Cancelling(double large, double error = 0) {
  TestGraph g;
  const ValueId sum = g.Call("aten::add.Tensor", {g.Placeholder("x"), large});
  g.Return({g.Call("aten::sub.Tensor", {sum, large - error})});
  return GraphModel(g.graph());
}

Inputs TwoInputs() {
  return {at::rand({50}).add_(1).requires_grad_(true), at::rand({50}).add_(1).requires_grad_(true)};
}

TEST(SameTwoModelsGraphTest, AGraphIsTheSameAsItselfBackwardAndInFp64Too) {
  CheckOptions options = CheckOptions::Accuracy();
  options.always_noise = true;
  const CheckResult result = SameTwoModels(Scaling(3), Scaling(3), TwoInputs(), options);
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_THAT(result.warnings, IsEmpty());
  std::vector<std::string> names;
  for (const compare::Output& output : result.verdict.outputs) {
    names.push_back(output.path);
    // Inputs that nobody wrote into are the caller's own.
    EXPECT_EQ(output.rmse_reference_fp64.has_value(), !output.path.starts_with("inputs")) << output.path;
  }
  EXPECT_THAT(names, ElementsAre("outputs[0]", "gradients.inputs[0]", "gradients.inputs[1]", "inputs[0]",
                                 "inputs[1]"));
}

TEST(SameTwoModelsGraphTest, WrongOutputsHaveWrongGradients) {
  const CheckResult result = SameTwoModels(Scaling(3), Scaling(4), TwoInputs(), CheckOptions::Accuracy());
  EXPECT_THAT(FailingPaths(result.verdict),
              ElementsAre("outputs[0]", "gradients.inputs[0]", "gradients.inputs[1]"));
}

TEST(SameTwoModelsGraphTest, OnlyForwardComparesNoGradients) {
  CheckOptions options = CheckOptions::Accuracy();
  options.run.only_forward = true;
  const CheckResult result = SameTwoModels(Scaling(3), Scaling(4), TwoInputs(), options);
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("outputs[0]"));
}

TEST(SameTwoModelsGraphTest, InputsThatAreWrittenIntoAreCompared) {
  const CheckResult result = SameTwoModels(Adding(1), Adding(2), {at::ones({3})}, CheckOptions::Accuracy());
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("inputs[0]"));
}

TEST(SameTwoModelsGraphTest, OutputsThatAreNoLongerViewsOfTheInputsAreADifference) {
  TestGraph g;
  g.Return({g.Call("aten::t", {g.Placeholder("x")})});
  TestGraph copying;
  copying.Return({copying.Call("aten::clone", {copying.Call("aten::t", {copying.Placeholder("x")})})});
  const CheckResult result =
      SameTwoModels(GraphModel(g.graph()), GraphModel(copying.graph()), {at::ones({2, 3})}, {});
  ASSERT_THAT(FailingPaths(result.verdict), ElementsAre("inputs[0]"));
  EXPECT_EQ(result.verdict.mismatches[0].message,
            "shares memory with outputs[0] in the reference, but not in the result");
}

// As in eager, where every call returns the constant itself.
TEST(SameTwoModelsGraphTest, AConstantThatIsReturnedIsTheSameInAllCalls) {
  TestGraph g;
  const ValueId constant = g.Constant("c", at::ones({4}));
  g.Return({constant, g.Call("aten::view", {constant, {2, 2}})});
  const GraphModel model(g.graph());
  const CheckResult result = SameTwoModels(model, model, {}, {.run = {.calls = 3}});
  EXPECT_EQ(result.status, CheckStatus::kSame) << testing::PrintToString(FailingPaths(result.verdict));
}

// A compiler folds zeros(4) to a constant.
TEST(SameTwoModelsGraphTest, AConstantInThePlaceOfAResultIsNoDifference) {
  TestGraph making, folded;
  const ValueId made = making.Call("aten::zeros", {{4}});
  making.Return({made, making.Call("aten::zeros", {{4}})});
  const ValueId constant = folded.Constant("c", at::zeros({4}));
  folded.Return({constant, constant});
  const CheckResult result =
      SameTwoModels(GraphModel(making.graph()), GraphModel(folded.graph()), {}, {.run = {.calls = 2}});
  EXPECT_EQ(result.status, CheckStatus::kSame) << testing::PrintToString(FailingPaths(result.verdict));
}

TEST(SameTwoModelsGraphTest, Fp64IsRefusedByName) {
  TestGraph g;
  g.Return({g.Call("aten::view.dtype", {g.Placeholder("x"), at::kInt})});
  const FunctionModel wrong = FunctionModel::Plain([](const Inputs&) { return at::ones({2}, at::kInt); });
  EXPECT_EQ(SameTwoModels(GraphModel(g.graph()), wrong, {at::ones({2})}, CheckOptions::Accuracy()).message,
            "could not generate fp64 outputs: aten::view.dtype reinterprets bits, which differ in float64");
}

TEST(SameTwoModelsGraphTest, NoiseIsMeasuredWhenSomethingFails) {
  const CheckResult result = SameTwoModels(Scaling(3), Scaling(4), TwoInputs(), CheckOptions::Accuracy());
  const compare::Noise noise = result.verdict.outputs.at(0).noise.value();
  EXPECT_EQ(noise.repeated, 0);
  EXPECT_GT(noise.fp64.value(), 0);
  EXPECT_GT(noise.nudged.value(), 0);
  EXPECT_LT(noise.floor, 1e-6);
  EXPECT_GT(noise.factor, 1e5);
}

TEST(SameTwoModelsGraphTest, NoiseOfWhatPassesIsMeasuredWhenAsked) {
  CheckOptions options = CheckOptions::Accuracy();
  EXPECT_FALSE(SameTwoModels(Scaling(3), Scaling(3), TwoInputs(), options).verdict.outputs.at(0).noise);
  options.always_noise = true;
  EXPECT_TRUE(SameTwoModels(Scaling(3), Scaling(3), TwoInputs(), options).verdict.outputs.at(0).noise);
}

TEST(SameTwoModelsGraphTest, CancellationInBothRunsIsNoise) {
  const Inputs inputs = {at::linspace(0.01, 0.99, 50)};
  EXPECT_EQ(SameTwoModels(Cancelling(1e7), Cancelling(2e7), inputs, CheckOptions::Accuracy()).status,
            CheckStatus::kSame);
  CheckOptions without_fp64 = CheckOptions::Strict();
  without_fp64.fp64 = Fp64::kNever;
  // Sums that are whole only since they were rounded are no exact ones.
  EXPECT_EQ(SameTwoModels(Cancelling(1e7), Cancelling(2e7), inputs, without_fp64).status, CheckStatus::kSame);
  EXPECT_EQ(SameTwoModels(Cancelling(1e7), Cancelling(2e7, 64), inputs, without_fp64).status,
            CheckStatus::kDifferent);
}

TEST(SameTwoModelsGraphTest, AutocastReachesBothModelsButNotFp64) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {x, x})});
  CheckOptions options = CheckOptions::Accuracy();
  options.run.settings.autocast = repro::Autocast{};
  options.always_noise = true;
  const CheckResult result =
      SameTwoModels(GraphModel(g.graph()), GraphModel(g.graph()), {at::randn({8, 8})}, options);
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_EQ(result.verdict.outputs.at(0).dtype, at::kBFloat16);
  EXPECT_GT(result.verdict.outputs.at(0).rmse_reference_fp64.value(), 1e-4);
}

TEST(SameTwoModelsGraphTest, InferenceModeWorks) {
  CheckOptions options = CheckOptions::Accuracy();
  options.run.settings.grad = false;
  options.run.settings.inference = true;
  const CheckResult result = SameTwoModels(Scaling(3), Scaling(3), TwoInputs(), options);
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
}

// Also when something differs, throws in the middle, or writes into its inputs.
TEST(SameTwoModelsGraphTest, TheProgramsOwnStateIsUntouched) {
  const Inputs inputs = TwoInputs();
  const at::Tensor x = inputs[0].toTensor();
  x.mul(7).sum().backward();
  const at::Tensor contents = x.detach().clone();
  const auto version = x._version();
  const FunctionModel throwing = FunctionModel::Plain([](const Inputs& values) -> c10::IValue {
    at::set_num_threads(2);
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    at::GradMode::set_enabled(false);
    values.at(0).toTensor().detach().fill_(9);
    at::rand({3});
    throw std::runtime_error("in the middle");
  });
  at::rand({3});
  const repro::RunSettings before = repro::CurrentRunSettings();
  CheckOptions options = CheckOptions::Accuracy();
  options.run.settings = {.default_dtype = at::kFloat, .deterministic = true, .threads = 1, .seed = 3};
  EXPECT_EQ(SameTwoModels(Scaling(3), Scaling(4), inputs, options).status, CheckStatus::kDifferent);
  EXPECT_EQ(SameTwoModels(Scaling(3), throwing, inputs, options).status, CheckStatus::kCandidateFailed);
  EXPECT_EQ(SameTwoModels(throwing, Scaling(3), inputs, options).status, CheckStatus::kReferenceFailed);
  EXPECT_EQ(repro::CurrentRunSettings(), before);
  EXPECT_EQ(x._version(), version);
  EXPECT_TRUE(x.equal(contents));
  EXPECT_TRUE(x.grad().equal(at::full({50}, 7.0)));
  EXPECT_TRUE(x.is_leaf() && x.requires_grad());
}

}  // namespace
}  // namespace culprit::check
