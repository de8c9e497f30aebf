// SPDX-License-Identifier: Apache-2.0
#include "check/run/run_in_fp64.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using tests::TestGraph;

at::Tensor FirstOutput(const std::vector<Results>& calls) {
  return calls.at(0).outputs.toTupleRef().elements().at(0).toTensor();
}

at::Tensor FirstInFp64(TestGraph g, const Inputs& inputs, const RunOptions& options = {}) {
  const auto calls = RunInFp64(GraphModel(g.graph()), inputs, options);
  return calls.ok() ? FirstOutput(*calls) : at::Tensor();
}

/// An operator that draws numbers of the default dtype.
TestGraph Drawing() {
  TestGraph g;
  g.Return({g.Call("aten::rand", {{4}})});
  return g;
}

TEST(RunInFp64Test, FloatIsNotTheDefaultDtypeOfARun) {
  TestGraph g;
  g.Return({g.Call("aten::div.Tensor", {g.Placeholder("x"), 3})});
  EXPECT_EQ(FirstInFp64(g, {at::ones({2}, at::kLong)}).scalar_type(), at::kDouble);
}

TEST(RunInFp64Test, TheInputsAreLeftAsTheyAreEvenWithoutClones) {
  TestGraph g;
  g.Return({g.Call("aten::add_.Tensor", {g.Placeholder("x"), 1.0})});
  const at::Tensor x = at::ones({2}, at::kDouble);
  EXPECT_TRUE(FirstInFp64(g, {x}, {.no_clone = true}).equal(at::full({2}, 2.0, at::kDouble)));
  EXPECT_TRUE(x.equal(at::ones({2}, at::kDouble)));
}

TEST(RunInFp64Test, RandomNumbersAreThoseOfTheRecordedGeneratorAndDefaultDtype) {
  RunOptions options;
  options.settings = {.default_dtype = at::kHalf, .seed = 3};
  {
    const repro::RunScope scope(options.settings);
    at::rand({5});
    options.settings.generator_state = repro::CurrentRunSettings().generator_state;
  }
  const RunEnd eager = RunModel(GraphModel(Drawing().graph()), {}, options);
  const at::Tensor narrow = FirstOutput(eager.calls);
  EXPECT_EQ(narrow.scalar_type(), at::kHalf);
  EXPECT_TRUE(FirstInFp64(Drawing(), {}, options).equal(narrow.to(at::kDouble)));
  options.settings.generator_state.clear();
  EXPECT_FALSE(FirstInFp64(Drawing(), {}, options).equal(narrow.to(at::kDouble)));
}

TEST(RunInFp64Test, AutocastDecidesWhatIsDroppedAndNothingElse) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::dropout", {g.Call("aten::mm", {x, x}), 0.5, true})});
  RunOptions options;
  options.settings.autocast = repro::Autocast{};
  const Inputs inputs = {at::rand({8, 8}).add_(1)};
  const at::Tensor narrow = FirstOutput(RunModel(GraphModel(g.graph()), inputs, options).calls);
  EXPECT_EQ(narrow.scalar_type(), at::kBFloat16);
  const at::Tensor wide = FirstInFp64(g, inputs, options);
  EXPECT_EQ(wide.scalar_type(), at::kDouble);
  EXPECT_TRUE(narrow.ne(0).equal(wide.ne(0)));
}

// In eager `to` makes a copy, and what is written there leaves its operand alone.
TEST(RunInFp64Test, WhatEagerCopiesIsNotSharedInFp64) {
  TestGraph g;
  const ValueId x = g.Call("aten::mul.Tensor", {g.Placeholder("x"), 1.0});
  const ValueId y = g.Call("aten::to.dtype", {x, at::kFloat});
  g.Call("aten::add_.Tensor", {y, 1.0});
  g.Return({x});
  EXPECT_TRUE(FirstInFp64(g, {at::ones({2}, at::kHalf)}).equal(at::ones({2}, at::kDouble)));
  EXPECT_TRUE(FirstInFp64(g, {at::ones({2})}).equal(at::full({2}, 2.0, at::kDouble)));
}

TEST(RunInFp64Test, WhatTakesMoreMemoryThanItMayIsRefused) {
  TestGraph g;
  g.Return({g.Call("aten::exp", {g.Call("aten::sin", {g.Placeholder("x")})})});
  const GraphModel model(g.graph());
  const Inputs inputs = {at::ones({1 << 20})};
  // Two tensors of 8 MiB at a time.
  EXPECT_TRUE(RunInFp64(model, inputs, {}, 16 << 20).ok());
  EXPECT_EQ(RunInFp64(model, inputs, {}, 15 << 20).error().message,
            "it takes more than 15.0 MiB of memory, which is all that a check has for it; a larger "
            "--memory-limit gives it more");
}

TEST(RunInFp64Test, WhatIsRefusedWhileNumbersAreDrawnSaysTheSame) {
  TestGraph g;
  g.Return({g.Call("aten::dropout", {g.Placeholder("x"), 0.5, true})});
  EXPECT_THAT(RunInFp64(GraphModel(g.graph()), {at::ones({1 << 20})}, {}, 1 << 20).error().message,
              testing::StartsWith("it takes more than 1.0 MiB of memory"));
}

/// Which are given to the twin as they are, since it casts them where it needs them.
std::vector<bool> CastInside(TestGraph g, const Inputs& inputs, const repro::RunSettings& settings = {}) {
  std::vector<bool> casts = (*GraphModel(g.graph()).InFp64(inputs, settings))->casts();
  casts.resize(inputs.size());
  return casts;
}

TestGraph Adding() {
  TestGraph g;
  g.Return({g.Call("aten::add.Tensor", {g.Placeholder("x"), g.Placeholder("y")})});
  return g;
}

TEST(RunInFp64Test, InputsAreCastWhereTheyAreNeededIfACopyIsLikeThem) {
  const at::Tensor x = at::ones({4, 4}), one = at::ones({4, 4});
  EXPECT_THAT(CastInside(Adding(), {x, one.t()}), ElementsAre(true, true));
  EXPECT_THAT(CastInside(Adding(), {x, at::ones({4, 4}, at::kDouble)}), ElementsAre(true, false));
  EXPECT_THAT(CastInside(Adding(), {x, at::ones({4, 4}, at::kInt)}), ElementsAre(true, false));
  EXPECT_THAT(CastInside(Adding(), {x, at::ones({5, 4}).slice(0, 1)}), ElementsAre(true, false));
  EXPECT_THAT(CastInside(Adding(), {x, at::ones({1, 4}).expand({4, 4})}), ElementsAre(true, false));
  EXPECT_THAT(CastInside(Adding(), {x, x}), ElementsAre(false, false));
}

TEST(RunInFp64Test, InputsThatGetAGradientOrAreWrittenAreCastBefore) {
  const Inputs inputs = {at::ones({4}), at::ones({4}).requires_grad_(true)};
  EXPECT_THAT(CastInside(Adding(), inputs), ElementsAre(true, false));
  EXPECT_THAT(CastInside(Adding(), inputs, {.grad = false}), ElementsAre(true, true));
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::add_.Tensor", {g.Call("aten::view", {x, {4}}), 1.0});
  g.Return({g.Placeholder("y")});
  EXPECT_THAT(CastInside(g, {at::ones({4}), at::ones({4})}), ElementsAre(false, true));
}

TEST(RunInFp64Test, TheGradientOfTheCallersTensorIsLeftAlone) {
  const at::Tensor x = at::ones({2}).requires_grad_(true);
  x.mul(7).sum().backward();
  x.requires_grad_(false);
  TestGraph g;
  g.Return({g.Call("aten::sin", {g.Placeholder("x")})});
  EXPECT_EQ(FirstInFp64(g, {x}).scalar_type(), at::kDouble);
  EXPECT_TRUE(x.grad().equal(at::full({2}, 7.0)));
}

TEST(RunInFp64Test, InputsOfDifferentDtypesOnOneMemoryAreRefused) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({x, g.Placeholder("bits")});
  const at::Tensor memory = at::ones({2});
  const auto calls = RunInFp64(GraphModel(g.graph()), {memory, memory.view(at::kInt)}, {});
  EXPECT_EQ(calls.error().message,
            "tensors of the dtypes Float and Int share memory, which they cannot in float64");
}

TEST(RunInFp64Test, AnErrorIsTheReasonAlone) {
  TestGraph g;
  g.Return({g.Call("aten::view", {g.Placeholder("x"), {7}})});
  EXPECT_EQ(RunInFp64(GraphModel(g.graph()), {at::ones({2})}, {}).error().message,
            "forward: shape '[7]' is invalid for input of size 2");
}

}  // namespace
}  // namespace culprit::check
