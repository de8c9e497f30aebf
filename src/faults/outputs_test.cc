// SPDX-License-Identifier: Apache-2.0
#include "faults/outputs.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/where.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using backend::Values;
using graph::ValueId;
using tests::TestGraph;

/// What a fault makes of a graph's outputs.
struct Struck {
  Values right;
  Values wrong;
  at::Tensor Right(size_t i) const { return right.at(i).toTensor(); }
  at::Tensor Wrong(size_t i) const { return wrong.at(i).toTensor(); }
};

Struck Strike(TestGraph& g, std::string_view where, void (*fault)(Incident&), const Values& inputs,
              uint64_t argument = 0, uint64_t call = 1) {
  const Site site = MakeSite(g.graph(), ParseWhere(where)->GuiltyNodes(g.graph()));
  Values outputs = graph::Interpreter(g.graph()).Run(inputs);
  Struck struck{outputs, {}};
  Incident incident{site, argument, call, inputs, outputs};
  fault(incident);
  struck.wrong = outputs;
  return struck;
}

/// (sin(x), tanh(sin(x)), exp(tanh(sin(x)))) with a fault in tanh.
Struck StrikeExample(void (*fault)(Incident&), const at::Tensor& x, uint64_t argument = 0,
                     uint64_t call = 1) {
  TestGraph g;
  const ValueId sin = g.Call("aten::sin", {g.Placeholder("x")});
  const ValueId tanh = g.Call("aten::tanh", {sin});
  g.Return({sin, tanh, g.Call("aten::exp", {tanh})});
  return Strike(g, "tanh", fault, {x}, argument, call);
}

double SmallestRelativeError(const at::Tensor& right, const at::Tensor& wrong) {
  const at::Tensor exact = right.to(at::kDouble);
  return wrong.to(at::kDouble).sub(exact).abs().div(exact.abs()).min().item<double>();
}

TEST(OutputsTest, WrongNumbersAreFarOffInEveryDtype) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    const Struck struck = StrikeExample(MakeOutputsWrong, at::arange(-8, 8).to(dtype).add(0.5));
    EXPECT_TRUE(struck.Right(0).equal(struck.Wrong(0)));
    for (const size_t i : {1, 2}) {
      EXPECT_GT(SmallestRelativeError(struck.Right(i), struck.Wrong(i)), 0.05) << dtype;
      EXPECT_EQ(struck.Wrong(i).scalar_type(), dtype);
    }
  }
}

TEST(OutputsTest, ZerosIntegersAndBoolsAreWrongToo) {
  TestGraph g;
  const ValueId x = g.Call("aten::relu", {g.Placeholder("x")});
  g.Return({x, g.Call("aten::argmax", {x}), g.Call("aten::isnan", {x})});
  const Struck struck = Strike(g, "relu", MakeOutputsWrong, {at::ones({3}).neg()});
  EXPECT_GT(struck.Wrong(0).min().item<double>(), 0.05);
  EXPECT_EQ(struck.Wrong(1).item<int64_t>(), struck.Right(1).item<int64_t>() + 1);
  EXPECT_TRUE(struck.Wrong(2).all().item<bool>());
}

TEST(OutputsTest, WhatTheGraphHoldsAndTheCallerGaveStaysRight) {
  TestGraph g;
  const at::Tensor constant = at::ones({4});
  const ValueId x = g.Placeholder("x");
  const ValueId viewed = g.Call("aten::view", {x, {2, 2}});
  const ValueId of_constant = g.Call("aten::view", {g.Constant("c", constant), {2, 2}});
  g.Return({viewed, of_constant});
  const at::Tensor input = at::ones({4});
  const Struck struck = Strike(g, "view", MakeOutputsWrong, {input});
  EXPECT_TRUE(struck.Wrong(0).equal(struck.Right(0)));
  EXPECT_FALSE(struck.Wrong(1).equal(struck.Right(1)));
  EXPECT_TRUE(input.equal(at::ones({4})));
  EXPECT_TRUE(constant.equal(at::ones({4})));
}

TEST(OutputsTest, OutputsThatShareMemoryStillDo) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  g.Return({tanh, g.Call("aten::t", {tanh}), tanh});
  for (auto* fault : {MakeOutputsWrong, MakeOutputsNan}) {
    const Struck struck = Strike(g, "tanh", fault, {at::ones({2, 3})});
    EXPECT_FALSE(struck.Wrong(0).equal(struck.Right(0)));
    EXPECT_EQ(struck.Wrong(1).storage().data(), struck.Wrong(0).storage().data());
    EXPECT_EQ(struck.Wrong(1).strides(), struck.Right(1).strides());
    EXPECT_TRUE(struck.Wrong(2).is_same(struck.Wrong(0)));
  }
}

TEST(OutputsTest, ExpandedAndSlicedOutputsAreWrongToo) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  g.Return({g.Call("aten::expand", {tanh, {4, 3}}), g.Call("aten::slice.Tensor", {tanh, 0, 1, 3})});
  const Struck struck = Strike(g, "tanh", MakeOutputsWrong, {at::ones({3})});
  EXPECT_FALSE(struck.Wrong(0).eq(struck.Right(0)).any().item<bool>());
  EXPECT_FALSE(struck.Wrong(1).eq(struck.Right(1)).any().item<bool>());
}

TEST(OutputsTest, OneNanIsEnough) {
  const Struck struck = StrikeExample(MakeOutputsNan, at::ones({2, 3}));
  EXPECT_EQ(struck.Wrong(0).isnan().sum().item<int64_t>(), 0);
  EXPECT_EQ(struck.Wrong(1).isnan().sum().item<int64_t>(), 1);
  EXPECT_EQ(struck.Wrong(2).isnan().sum().item<int64_t>(), 1);
}

TEST(OutputsTest, ShapesAndDtypesChangeAlone) {
  const Struck shapes = StrikeExample(ChangeShapes, at::ones({2}));
  EXPECT_EQ(shapes.Wrong(0).sizes(), at::IntArrayRef({2}));
  EXPECT_EQ(shapes.Wrong(1).sizes(), at::IntArrayRef({2, 1}));
  EXPECT_TRUE(shapes.Wrong(1).squeeze(-1).equal(shapes.Right(1)));
  const Struck dtypes = StrikeExample(ChangeDtypes, at::ones({2}));
  EXPECT_EQ(dtypes.Wrong(0).scalar_type(), at::kFloat);
  EXPECT_EQ(dtypes.Wrong(1).scalar_type(), at::kDouble);
  EXPECT_TRUE(dtypes.Wrong(1).to(at::kFloat).equal(dtypes.Right(1)));
}

at::Tensor Leaf() {
  return at::ones({3}).requires_grad_(true);
}

at::Tensor GradientThrough(void (*fault)(Incident&), size_t output) {
  const at::Tensor x = Leaf();
  StrikeExample(fault, x).Wrong(output).sum().backward();
  return x.grad();
}

void DoNothing(Incident& /*incident*/) {}

TEST(OutputsTest, WrongGradientsLeaveTheNumbersRight) {
  const Struck struck = StrikeExample(MakeGradientsWrong, Leaf());
  EXPECT_TRUE(struck.Wrong(1).equal(struck.Right(1)));
  EXPECT_TRUE(GradientThrough(MakeGradientsWrong, 0).equal(GradientThrough(DoNothing, 0)));
  for (const size_t i : {1, 2}) {
    EXPECT_GT(SmallestRelativeError(GradientThrough(DoNothing, i), GradientThrough(MakeGradientsWrong, i)),
              0.05);
  }
}

TEST(OutputsTest, WhatHasGradientsKeepsThem) {
  for (auto* fault : {MakeOutputsWrong, MakeOutputsNan, ChangeShapes, ChangeDtypes}) {
    EXPECT_TRUE(GradientThrough(fault, 2).defined());
    const Struck struck = StrikeExample(fault, Leaf());
    EXPECT_FALSE(struck.Wrong(1).scalar_type() == struck.Right(1).scalar_type() &&
                 struck.Wrong(1).equal(struck.Right(1)));
  }
}

TEST(OutputsTest, AStrayWriteIsNotNoticedByAutograd) {
  const at::Tensor x = Leaf();
  const auto version = x._version();
  const Struck struck = StrikeExample(WriteIntoInput, x);
  EXPECT_FALSE(x.detach().equal(at::ones({3})));
  EXPECT_EQ(x._version(), version);
  EXPECT_TRUE(x.is_leaf());
  for (const size_t i : {0, 1, 2}) EXPECT_TRUE(struck.Wrong(i).is_same(struck.Right(i)));
  EXPECT_NO_THROW(struck.Wrong(2).sum().backward());
}

TEST(OutputsTest, AStrayWriteReachesOverlappingAndInferenceTensors) {
  const at::Tensor expanded = at::ones({1}).expand({3});
  StrikeExample(WriteIntoInput, expanded);
  EXPECT_FALSE(expanded.equal(at::ones({3})));
  at::Tensor made_in_inference_mode;
  {
    const c10::InferenceMode guard;
    made_in_inference_mode = at::ones({3});
  }
  const at::NoGradGuard no_grad;
  StrikeExample(WriteIntoInput, made_in_inference_mode);
  EXPECT_FALSE(made_in_inference_mode.equal(at::ones({3})));
}

bool IsWrong(const Struck& struck) {
  return !struck.Wrong(1).equal(struck.Right(1));
}

TEST(OutputsTest, LateIsFromTheSecondCallOn) {
  EXPECT_FALSE(IsWrong(StrikeExample(MakeOutputsWrongLate, at::ones({2}), 0, 1)));
  EXPECT_TRUE(IsWrong(StrikeExample(MakeOutputsWrongLate, at::ones({2}), 0, 2)));
  EXPECT_TRUE(IsWrong(StrikeExample(MakeOutputsWrongLate, at::ones({2}), 0, 3)));
}

TEST(OutputsTest, SometimesIsOneCallInSoMany) {
  constexpr int kExpected = 500;
  constexpr int kCalls = 4 * kExpected;
  int wrong = 0;
  for (int i = 0; i < kCalls; ++i)
    wrong += IsWrong(StrikeExample(MakeOutputsWrongSometimes, at::ones({2}), 4)) ? 1 : 0;
  // Six standard deviations.
  EXPECT_NEAR(wrong, kExpected, 117);
  EXPECT_TRUE(IsWrong(StrikeExample(MakeOutputsWrongSometimes, at::ones({2}), 1)));
}

TEST(OutputsTest, AboveIsForLargerTensorsOnly) {
  EXPECT_FALSE(IsWrong(StrikeExample(MakeOutputsWrongAbove, at::ones({4}), 4)));
  EXPECT_TRUE(IsWrong(StrikeExample(MakeOutputsWrongAbove, at::ones({5}), 4)));
}

}  // namespace
}  // namespace culprit::faults
