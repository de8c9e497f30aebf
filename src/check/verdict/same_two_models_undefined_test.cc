// SPDX-License-Identifier: Apache-2.0
//
// Results that depend on memory that nobody wrote accuse no one; the others are judged as ever.
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/verdict/same_two_models.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using tests::FailingPaths;
using tests::TestGraph;

CheckResult Check(TestGraph& g, const Inputs& inputs, const c10::IValue& actual, int calls = 1) {
  const FunctionModel candidate =
      FunctionModel::Plain([&](const Inputs&) { return graph::CopyAll({actual})[0]; });
  CheckOptions options = CheckOptions::Strict();
  options.run.calls = calls;
  return SameTwoModels(GraphModel(g.graph()), candidate, inputs, options);
}

/// empty(4), of which the first two are written, and x + 1.
TestGraph HalfWritten() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId memory = g.Call("aten::empty.memory_format", {{4}});
  g.Call("aten::fill_.Scalar", {g.Call("aten::slice.Tensor", {memory, 0, 0, 2}), 1});
  g.Return({g.Call("aten::mul.Tensor", {memory, 2}), g.Call("aten::add.Tensor", {x, 1})});
  return g;
}

c10::IValue ResultsWith(double written, double unwritten, double sum) {
  at::Tensor memory = at::full({4}, unwritten);
  memory.slice(0, 0, 2).fill_(written);
  return tests::Tuple({memory, at::full({3}, sum)});
}

TEST(SameTwoModelsUndefinedTest, WhatNobodyWroteIsNotCompared) {
  TestGraph g = HalfWritten();
  for (const double unwritten : {0.0, 17.0, 4.6e16}) {
    const CheckResult result = Check(g, {at::ones({3})}, ResultsWith(2, unwritten, 2));
    EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
    EXPECT_THAT(result.warnings, ElementsAre("not compared: 2 of 4 elements of outputs[0], which depend on "
                                             "memory that nobody wrote"));
  }
}

TEST(SameTwoModelsUndefinedTest, TheRestIsJudgedAsEver) {
  TestGraph g = HalfWritten();
  EXPECT_THAT(FailingPaths(Check(g, {at::ones({3})}, ResultsWith(3, 0, 2)).verdict),
              ElementsAre("outputs[0]"));
  EXPECT_THAT(FailingPaths(Check(g, {at::ones({3})}, ResultsWith(2, 0, 2.5)).verdict),
              ElementsAre("outputs[1]"));
}

TEST(SameTwoModelsUndefinedTest, AWarningIsGivenOnceForAllCalls) {
  TestGraph g;
  g.Return({g.Call("aten::empty.memory_format", {{4}})});
  const CheckResult result = Check(g, {}, tests::Tuple({at::ones({4})}), 3);
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_THAT(result.warnings,
              ElementsAre("not compared: outputs[0], which depends on memory that nobody wrote"));
}

// Which way it comes out depends on the filling.
TEST(SameTwoModelsUndefinedTest, ComparisonsOfWhatNobodyWroteAreNotCompared) {
  const std::pair<const char*, int> comparisons[] = {
      {"aten::gt.Scalar", 5}, {"aten::lt.Scalar", 5}, {"aten::lt.Scalar", -5}, {"aten::ne.Scalar", 0}};
  for (const auto& [comparison, number] : comparisons) {
    TestGraph g;
    g.Return({g.Call(comparison, {g.Call("aten::empty.memory_format", {{4}}), number})});
    for (const bool truth : {false, true}) {
      const CheckResult result = Check(g, {}, tests::Tuple({at::full({4}, truth, at::kBool)}));
      EXPECT_EQ(result.status, CheckStatus::kSame) << comparison << ": " << result.message;
    }
  }
}

TEST(SameTwoModelsUndefinedTest, ComparisonsOfIntegersThatNobodyWroteAreNotCompared) {
  for (const char* comparison : {"aten::gt.Scalar", "aten::lt.Scalar"}) {
    TestGraph g;
    const ValueId memory = g.Call("aten::empty.memory_format", {{4}}, {{"dtype", at::kLong}});
    g.Return({g.Call(comparison, {memory, 5})});
    for (const bool truth : {false, true}) {
      const CheckResult result = Check(g, {}, tests::Tuple({at::full({4}, truth, at::kBool)}));
      EXPECT_EQ(result.status, CheckStatus::kSame) << comparison << ": " << result.message;
    }
  }
}

TEST(SameTwoModelsUndefinedTest, ASizeThatComesFromUnwrittenMemoryIsNoQuestion) {
  TestGraph g;
  const ValueId memory = g.Call("aten::empty.memory_format", {{4}}, {{"dtype", at::kBool}});
  g.Return({g.Call("aten::nonzero", {memory})});
  const CheckResult result = Check(g, {}, tests::Tuple({at::ones({2, 1}, at::kLong)}));
  EXPECT_EQ(result.status, CheckStatus::kReferenceUnstable);
  EXPECT_EQ(result.message, "eager itself differs between two runs, since it reads memory that nobody wrote");
}

TEST(SameTwoModelsUndefinedTest, MemoryThatIsWrittenInTimeIsJudged) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::copy_", {g.Call("aten::empty_like", {x}), x})});
  EXPECT_EQ(Check(g, {at::ones({3})}, tests::Tuple({at::ones({3})})).status, CheckStatus::kSame);
  EXPECT_EQ(Check(g, {at::ones({3})}, tests::Tuple({at::full({3}, 2.0)})).status, CheckStatus::kDifferent);
}

}  // namespace
}  // namespace culprit::check
