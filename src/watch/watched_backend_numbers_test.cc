// SPDX-License-Identifier: Apache-2.0
//
// How numbers are judged in a live program, and what compilers may do to what they are given.
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <culprit/errors.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include "tests/lib/graph_builder.h"
#include "tests/lib/watched_graph.h"
#include "watch/open.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::ElementsAre;
using testing::IsEmpty;

class WatchedNumbersTest : public tests::WatchedGraphTest {
 protected:
  WatchedNumbersTest() { settings_.repro_level = 4; }

  void UseGraph(const std::string& text) {
    graph_ = tests::ShortGraph(text);
    graph_.set_name("net_0_inference");
  }
};

/// Loses what x has in front of the point; float64 shows that.
constexpr const char* kCancelling =
    "x\nadd = add.Tensor(x, 100000000.0)\nsub = sub.Tensor(add, 100000000.0)\nreturn (sub,)\n";

TEST_F(WatchedNumbersTest, WhatIsNearerToFloat64ThanTheProgramIsRight) {
  UseGraph(kCancelling);
  odd_.call = [](Values& inputs, Values& outputs) { outputs[0] = inputs[0].toTensor().clone(); };
  EXPECT_NO_THROW(Call(*Compile()));
}

/// Loses 3.9 four hundred times, always downwards: more than what rounding at random explains.
std::string Losing() {
  std::string text = "x\nv0 = add.Tensor(x, 100000000.0)\n";
  for (int i = 0; i < 400; ++i) text += fmt::format("v{} = add.Tensor(v{}, 3.9)\n", i + 1, i);
  return text + "sub = sub.Tensor(v400, 100000000.0)\nreturn (sub,)\n";
}

TEST_F(WatchedNumbersTest, WithoutFloat64TheProgramItselfIsTheMeasure) {
  UseGraph(Losing());
  odd_.call = [](Values& inputs, Values& outputs) { outputs[0] = inputs[0].toTensor().add(1560); };
  EXPECT_NO_THROW(Call(*Compile()));
  settings_.repro_fp64 = false;
  header_.settings = base::NonDefault(settings_);
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), AccuracyError);
}

TEST_F(WatchedNumbersTest, WhereFloat64IsImpossibleFloatsAreJudgedThoughIntegersAreNot) {
  // Bits are others in float64.
  UseGraph("x\nbits = view.dtype(x, torch.int32)\nsin = sin.default(x)\nreturn (sin, bits)\n");
  settings_.repro_ignore_non_float = true;
  for (const std::string point : {"capture", "aot"}) {
    const auto compile = [&](const std::string& fault) {
      settings_.repro_after = point;
      settings_.faults = fault;
      return Open("eager", settings_)->backend->Compile(graph_, inputs_);
    };
    EXPECT_NO_THROW(Call(*compile("view:accuracy"))) << point;
    EXPECT_THROW(Call(*compile("sin:accuracy")), AccuracyError) << point;
  }
}

/// Other numbers at every call.
at::Tensor Drift(const at::Tensor& x) {
  static double next = 0;
  return x.add(++next);
}

std::vector<at::ScalarType>& SeenDtypes() {
  static auto& seen = *new std::vector<at::ScalarType>;
  return seen;
}

at::Tensor See(const at::Tensor& x) {
  SeenDtypes().push_back(x.scalar_type());
  return x.mul(1);
}

TORCH_LIBRARY(culprit_watch_test, library) {
  library.def("drift(Tensor x) -> Tensor", Drift);
  library.def("see(Tensor x) -> Tensor", See);
}

TEST_F(WatchedNumbersTest, GradientsThatAreRightTakeOneRunOfTheGraphAndNoFloat64) {
  UseGraph("x\nsee = torch.ops.culprit_watch_test.see.default(x)\nreturn (see,)\n");
  settings_.repro_after = "capture";
  inputs_ = {tests::Numbers().set_requires_grad(true)};
  const auto compiled = Compile(Point::kCapture);
  SeenDtypes().clear();
  odd_.calls = 0;
  Call(*compiled);
  // One call for real and one with gradients, each beside one of the graph.
  EXPECT_EQ(odd_.calls, 2);
  EXPECT_THAT(SeenDtypes(), ElementsAre(at::kFloat, at::kFloat, at::kFloat, at::kFloat));
}

TEST_F(WatchedNumbersTest, WhereOnlyEagerFailsThatIsOneWarning) {
  UseGraph("x\nview = view.default(x, [7])\nreturn (view,)\n");
  odd_.compile = [](graph::Graph& graph, const Values& /*inputs*/) {
    graph = tests::ShortGraph("x\nsin = sin.default(x)\nreturn (sin,)\n");
  };
  const auto compiled = Compile();
  Call(*compiled);
  Call(*compiled);
  EXPECT_THAT(warnings_,
              ElementsAre(testing::StartsWith("net_0_inference cannot be checked: eager itself failed: ")));
}

TEST_F(WatchedNumbersTest, AProgramThatDiffersFromItselfIsOneWarningAtEitherPoint) {
  UseGraph("x\ndrift = torch.ops.culprit_watch_test.drift.default(x)\nreturn (drift,)\n");
  for (const Point point : {Point::kAot, Point::kCapture}) {
    settings_.repro_after = point == Point::kAot ? "aot" : "capture";
    warnings_.clear();
    const auto compiled = Compile(point);
    for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(Call(*compiled));
    EXPECT_THAT(warnings_,
                ElementsAre("net_0_inference cannot be checked: eager itself differs between two runs"));
    EXPECT_EQ(session_->counters().failures, 0);
  }
}

TEST_F(WatchedNumbersTest, ACompilerThatWritesIntoConstantsIsFound) {
  tests::TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId two = g.Constant("two", at::full({2, 3}, 2.0));
  g.Return({g.Call("aten::add.Tensor", {x, two})});
  graph_ = g.graph();
  odd_.compile = [](graph::Graph& graph, const Values&) { graph.constants()[0].tensor.add_(1); };
  for (const Point point : {Point::kAot, Point::kCapture}) {
    settings_.repro_after = point == Point::kAot ? "aot" : "capture";
    EXPECT_THROW(Call(*Compile(point)), AccuracyError);
  }
}

TEST_F(WatchedNumbersTest, ACallThatReplacesItsArgumentsHarmsNobody) {
  odd_.call = [](Values& inputs, Values&) {
    inputs[0] = at::zeros({7});
    inputs.emplace_back(1);
  };
  const auto compiled = Compile();
  const at::Tensor x = tests::Numbers();
  Values inputs{x};
  ExpectRight(compiled->Call(inputs));
  EXPECT_TRUE(x.equal(tests::Numbers()));
  EXPECT_EQ(session_->counters().failures, 0);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WatchedNumbersTest, OtherRandomNumbersThanThoseOfEagerAreNotJudgedAndThatIsSaid) {
  UseGraph("x\nrand = rand_like.default(x)\nreturn (rand,)\n");
  odd_.call = [](Values&, Values& outputs) { outputs[0] = at::zeros({2, 3}); };
  odd_.draws_as_eager = false;
  const auto compiled = Compile();
  EXPECT_NO_THROW(Call(*compiled));
  EXPECT_THAT(warnings_, ElementsAre("net_0_inference cannot be checked: it draws random numbers, and the "
                                     "compiler does not draw those of eager"));
  EXPECT_THAT(Repros(), IsEmpty());
}

TEST_F(WatchedNumbersTest, RandomNumbersThatShouldBeThoseOfEagerAreJudged) {
  UseGraph("x\nrand = rand_like.default(x)\nreturn (rand,)\n");
  odd_.call = [](Values&, Values& outputs) { outputs[0] = at::zeros({2, 3}); };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), AccuracyError);
}

}  // namespace
}  // namespace culprit::watch
