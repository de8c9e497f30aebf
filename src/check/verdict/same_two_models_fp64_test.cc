// SPDX-License-Identifier: Apache-2.0
//
// Models that are judged by their own run in float64.
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
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
using tests::FailingPaths;
using tests::TestGraph;

/// (x + 1) - x.
GraphModel Cancelling() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::sub.Tensor", {g.Call("aten::add.Tensor", {x, 1.0}), x})});
  return GraphModel(g.graph());
}

TEST(NearFp64Test, TheRunInFloat64IsTheReference) {
  const CheckResult result = NearFp64(Cancelling(), {at::full({1}, 16777216.0)}, {});
  EXPECT_EQ(result.status, CheckStatus::kDifferent);
  EXPECT_EQ(result.message, "the numbers are off from float64");
  EXPECT_THAT(FailingPaths(result.verdict), ElementsAre("outputs[0]"));
  const compare::Output& output = result.verdict.outputs.at(0);
  EXPECT_EQ(output.dtype, at::kFloat);
  EXPECT_EQ(output.detail.value().worst.value().reference.real(), 1);
  EXPECT_EQ(output.detail->worst->result.real(), 0);
  EXPECT_EQ(output.noise.value().repeated, 0);
}

TEST(NearFp64Test, WhatAgreesIsTheSame) {
  const CheckResult result = NearFp64(Cancelling(), {at::linspace(0, 1, 5)}, {});
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_THAT(result.unwritten_inputs, ElementsAre("inputs[0]"));
}

TEST(NearFp64Test, AModelThatFailsOrDiffersFromItselfIsReportedFirst) {
  const FunctionModel failing =
      FunctionModel::Plain([](const Inputs&) -> c10::IValue { throw std::runtime_error("no memory"); });
  EXPECT_EQ(NearFp64(failing, {}, {}).message, "eager itself failed: forward: no memory");
  double next = 0;
  const FunctionModel drifting = FunctionModel::Plain([&](const Inputs&) { return at::full({2}, next++); });
  EXPECT_EQ(NearFp64(drifting, {}, {}).status, CheckStatus::kReferenceUnstable);
}

TEST(NearFp64Test, Float64IsRequired) {
  const FunctionModel model = FunctionModel::Plain([](const Inputs&) { return at::ones({2}); });
  const CheckResult result = NearFp64(model, {}, {.fp64 = Fp64::kNever});
  EXPECT_EQ(result.status, CheckStatus::kNoFp64);
  EXPECT_EQ(
      result.message,
      "could not generate fp64 outputs: the model is no graph, and offers no float64 version of itself");
}

TEST(NearFp64Test, TheRoundingOfTheLastStepIsNoError) {
  TestGraph g;
  g.Return({g.Call("aten::div.Tensor", {g.Placeholder("x"), 3.0})});
  const CheckResult result = NearFp64(GraphModel(g.graph()), {at::linspace(1, 9, 9).to(at::kBFloat16)},
                                      {.compare = {.tolerance = 0}});
  EXPECT_EQ(result.status, CheckStatus::kSame);
}

TEST(NearFp64Test, BothRunsDrawTheSameNumbers) {
  TestGraph g;
  g.Return({g.Call("aten::dropout", {g.Placeholder("x"), 0.5, true})});
  const CheckResult result = NearFp64(GraphModel(g.graph()), {at::rand({100}).requires_grad_(true)}, {});
  EXPECT_EQ(result.status, CheckStatus::kSame);
}

TEST(NearFp64Test, InputsThatAreWrittenAreNotUnwrittenEvenIfTheyAgree) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Placeholder("y");
  g.Call("aten::mul_.Tensor", {x, 1.0});
  g.Return({});
  const CheckResult result = NearFp64(GraphModel(g.graph()), {at::ones({2}), at::ones({2})}, {});
  EXPECT_EQ(result.status, CheckStatus::kSame);
  EXPECT_THAT(result.unwritten_inputs, ElementsAre("inputs[1]"));
}

}  // namespace
}  // namespace culprit::check
