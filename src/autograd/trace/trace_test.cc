// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "autograd/functional/untraceable.h"
#include "autograd/trace/trace_modes.h"
#include "graph/passes/cast_to_fp64.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using testing::ElementsAre;
using testing::IsEmpty;
using tests::ShortGraph;
using tests::ShortText;
using Inputs = std::vector<IValue>;

at::Tensor Leaf(at::IntArrayRef sizes = {2, 3}) {
  return at::ones(sizes).requires_grad_();
}

at::Tensor Computed(at::IntArrayRef sizes = {2, 3}) {
  return Leaf(sizes).mul(2);
}

Traced TraceText(const std::string& text, const Inputs& inputs) {
  return Trace(ShortGraph(text), inputs);
}

std::string WhyNot(const std::string& text, const Inputs& inputs) {
  try {
    TraceText(text, inputs);
  } catch (const Untraceable& reason) {
    return reason.what();
  }
  return "";
}

std::vector<std::string> PlaceholdersOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Placeholder& placeholder : graph.placeholders())
    names.push_back(graph.value(placeholder.value).name);
  return names;
}

TEST(TraceTest, ForwardAndBackwardStandBehindEachOther) {
  const Traced traced = TraceText("x, w\ny = mul.Tensor(x, w)\nreturn (y,)", {Leaf(), Leaf()});
  EXPECT_THAT(PlaceholdersOf(traced.joint.graph), ElementsAre("x", "w", "tangent_0"));
  EXPECT_EQ(ShortText(traced.joint.graph),
            "mul = mul.Tensor(x, w)\n"
            "mul_1 = mul.Tensor(tangent_0, x)\n"
            "mul_2 = mul.Tensor(tangent_0, w)\n"
            "return (mul, mul_2, mul_1)\n");
  EXPECT_EQ(traced.joint.tangents, 1U);
  EXPECT_EQ(traced.joint.forward_outputs, 1U);
  EXPECT_EQ(traced.joint.forward_nodes, 1U);
  EXPECT_THAT(traced.gradients, ElementsAre(0, 1));
}

TEST(TraceTest, GradientsAreOnlyForWhatRequiresThem) {
  const Traced traced = TraceText("x, w\ny = mul.Tensor(x, w)\nreturn (y,)", {at::ones({2, 3}), Leaf()});
  EXPECT_EQ(ShortText(traced.joint.graph),
            "mul = mul.Tensor(x, w)\n"
            "mul_1 = mul.Tensor(tangent_0, x)\n"
            "return (mul, mul_1)\n");
  EXPECT_THAT(traced.gradients, ElementsAre(1));
}

TEST(TraceTest, WithoutGradModeThereAreNoTangents) {
  const at::NoGradGuard no_grad;
  const Traced traced = TraceText("x\ny = exp.default(x)\nreturn (y,)", {Leaf()});
  EXPECT_EQ(ShortText(traced.joint.graph), "exp = exp.default(x)\nreturn (exp,)\n");
  EXPECT_THAT(traced.differentiable, IsEmpty());
}

TEST(TraceTest, WithoutInputsThatRequireGradientsThereAreNoTangents) {
  const Traced traced = TraceText("x\ny = exp.default(x)\nreturn (y,)", {at::ones({2, 3})});
  EXPECT_EQ(traced.joint.tangents, 0U);
}

TEST(TraceTest, OutputsWithoutHistoryHaveNoTangents) {
  const Traced traced = TraceText(
      "x\n"
      "d = detach.default(x)\n"
      "y = exp.default(d)\n"
      "i = argmax.default(x)\n"
      "z = neg.default(x)\n"
      "return (y, i, z)",
      {Leaf()});
  EXPECT_THAT(traced.differentiable, ElementsAre(2));
  EXPECT_EQ(traced.joint.tangents, 1U);
}

TEST(TraceTest, SeveralGradientsOfOneInputStayApartInTheOrderOfTheirArrival) {
  const Traced traced = TraceText(
      "x\n"
      "a = sin.default(x)\n"
      "b = exp.default(x)\n"
      "y = mul.Tensor(a, b)\n"
      "return (y,)",
      {Leaf()});
  EXPECT_THAT(traced.gradients, ElementsAre(0, 0));
  EXPECT_EQ(ShortText(traced.joint.graph),
            "sin = sin.default(x)\n"
            "exp = exp.default(x)\n"
            "mul = mul.Tensor(sin, exp)\n"
            "mul_1 = mul.Tensor(tangent_0, sin)\n"
            "mul_2 = mul.Tensor(tangent_0, exp)\n"
            "mul_3 = mul.Tensor(mul_1, exp)\n"
            "cos = cos.default(x)\n"
            "mul_4 = mul.Tensor(mul_2, cos)\n"
            "add = add.Tensor(mul_3, mul_4)\n"
            "return (mul, mul_3, mul_4)\n");
}

TEST(TraceTest, AnUndefinedTangentLeavesItsPartOfBackwardOut) {
  const graph::Graph graph = ShortGraph("x\na = sin.default(x)\nb = exp.default(x)\nreturn (a, b)");
  const Traced traced =
      Trace(graph, {Leaf()}, TangentLayouts{std::nullopt, graph::sizes::Layout::Of({2, 3}, {3, 1})});
  EXPECT_EQ(ShortText(traced.joint.graph),
            "sin = sin.default(x)\n"
            "exp = exp.default(x)\n"
            "mul = mul.Tensor(tangent_1, exp)\n"
            "return (sin, exp, mul)\n");
  EXPECT_THAT(PlaceholdersOf(traced.joint.graph), ElementsAre("x", "tangent_0", "tangent_1"));
}

TEST(TraceTest, WithoutAnyTangentThereAreNoGradients) {
  const graph::Graph graph = ShortGraph("x\na = sin.default(x)\nreturn (a,)");
  EXPECT_THAT(Trace(graph, {Leaf()}, TangentLayouts{std::nullopt}).gradients, IsEmpty());
}

TEST(TraceTest, TangentsLieAsTheOutputsDoUnlessTheyAreGiven) {
  const graph::Graph graph = ShortGraph("x\na = sin.default(x)\nreturn (a,)");
  const Inputs inputs = {at::ones({3, 2}).t().requires_grad_()};
  EXPECT_EQ(Trace(graph, inputs).tangents[0].strides(), at::IntArrayRef({1, 2}));
  const Traced other = Trace(graph, inputs, TangentLayouts{graph::sizes::Layout::Of({2, 3}, {0, 0})});
  EXPECT_EQ(other.tangents[0].strides(), at::IntArrayRef({0, 0}));
}

TEST(TraceTest, AnInputThatIsWrittenIsAnOutputWithATangent) {
  const Traced traced = TraceText("x\ny = exp_.default(x)\nreturn ()", {Computed()});
  ASSERT_EQ(traced.mutations.size(), 1U);
  EXPECT_EQ(traced.mutations[0].kind, Mutation::Kind::kOpen);
  EXPECT_THAT(traced.differentiable, ElementsAre(traced.mutations[0].output));
  EXPECT_EQ(ShortText(traced.joint.graph),
            "exp = exp.default(x)\n"
            "mul = mul.Tensor(tangent_0, exp)\n"
            "return (exp, mul)\n");
}

TEST(TraceTest, AnInputThatIsWrittenThroughATensorWithoutHistoryKeepsItsOwn) {
  const Traced traced = TraceText(
      "x\n"
      "d = detach.default(x)\n"
      "y = mul_.Tensor(d, 2)\n"
      "z = exp.default(x)\n"
      "return (z,)",
      {Leaf()});
  ASSERT_EQ(traced.mutations.size(), 1U);
  EXPECT_EQ(traced.mutations[0].kind, Mutation::Kind::kWithoutHistory);
  EXPECT_EQ(traced.joint.tangents, 1U);
}

TEST(TraceTest, WhatIsWrittenWithoutGradientsKeepsItsHistory) {
  const Traced traced =
      TraceText("x, y\nz = mul_.Tensor(x, 2)\nw = exp.default(y)\nreturn (w,)", {at::ones({2, 3}), Leaf()});
  EXPECT_EQ(traced.mutations[0].kind, Mutation::Kind::kWithoutHistory);
}

TEST(TraceTest, BatchNormWritesSilently) {
  const Traced traced = TraceText(
      "x, m, v\n"
      "y, a, b = native_batch_norm.default(x, None, None, m, v, True, 0.1, 0.5)\n"
      "return (y,)",
      {Leaf({2, 3}), at::ones({3}), at::ones({3})});
  ASSERT_EQ(traced.mutations.size(), 2U);
  EXPECT_EQ(traced.mutations[0].input, 1U);
  EXPECT_EQ(traced.mutations[0].kind, Mutation::Kind::kSilent);
  EXPECT_EQ(traced.mutations[1].input, 2U);
}

TEST(TraceTest, BackwardNodesHaveTheLineOfTheirForwardOperator) {
  graph::Graph graph = ShortGraph("x\na = sin.default(x)\nb = exp.default(a)\nreturn (b,)");
  graph.SetModelLine(graph::NodeId{0}, std::make_shared<const std::string>("net.py:1"));
  graph.SetModelLine(graph::NodeId{1}, std::make_shared<const std::string>("net.py:2"));
  EXPECT_EQ(ShortText(Trace(graph, {Leaf()}).joint.graph),
            "# File: net.py:1\n"
            "sin = sin.default(x)\n"
            "# File: net.py:2\n"
            "exp = exp.default(sin)\n"
            "mul = mul.Tensor(tangent_0, exp)\n"
            "# File: net.py:1\n"
            "cos = cos.default(x)\n"
            "mul_1 = mul.Tensor(mul, cos)\n"
            "return (exp, mul_1)\n");
}

TEST(TraceTest, AutocastShowsAsCasts) {
  const TraceModesScope modes({.grad = true, .autocast = true});
  const Traced traced =
      TraceText("x, w\ny = mm.default(x, w)\nreturn (y,)", {at::ones({2, 3}), Leaf({3, 2})});
  EXPECT_EQ(ShortText(traced.joint.graph),
            "_to_copy = _to_copy.default(w, dtype=torch.bfloat16)\n"
            "_to_copy_1 = _to_copy.default(x, dtype=torch.bfloat16)\n"
            "mm = mm.default(_to_copy_1, _to_copy)\n"
            "t = t.default(_to_copy_1)\n"
            "mm_1 = mm.default(t, tangent_0)\n"
            "_to_copy_2 = _to_copy.default(mm_1, dtype=torch.float32, layout=torch.strided, "
            "device=torch.device('cpu'))\n"
            "return (mm, _to_copy_2)\n");
}

TEST(TraceTest, OperatorsThatAreComputedOnZerosAreCounted) {
  const Traced traced = TraceText("x\ny = histc.default(x)\nreturn (y,)", {at::ones({2, 3})});
  EXPECT_THAT(traced.fallbacks, ElementsAre(std::pair<const std::string, int64_t>("aten::histc", 1)));
}

TEST(TraceTest, TheInputsAreLeftAsTheyAre) {
  const at::Tensor x = Computed();
  const auto version = x._version();
  TraceText("x\ny = zero_.default(x)\nreturn (y,)", {x});
  EXPECT_TRUE(x.equal(at::ones({2, 3}).mul(2)));
  EXPECT_EQ(x._version(), version);
}

TEST(TraceTest, AnInputThatIsDetachedIsRefusedWhateverTheMode) {
  const std::string text = "x\ny = detach_.default(x)\nreturn (y,)";
  EXPECT_EQ(WhyNot(text, {Computed()}), "aten::detach_ changes the history of x");
  const at::NoGradGuard no_grad;
  EXPECT_EQ(WhyNot(text, {Computed()}), "aten::detach_ changes the history of x");
}

TEST(TraceTest, WhatTheGraphHasMadeMayBeDetached) {
  const Traced traced =
      TraceText("x\ny = exp.default(x)\nz = detach_.default(y)\nw = mul.Tensor(x, y)\nreturn (w,)", {Leaf()});
  EXPECT_EQ(ShortText(traced.joint.graph),
            "exp = exp.default(x)\n"
            "mul = mul.Tensor(x, exp)\n"
            "mul_1 = mul.Tensor(tangent_0, exp)\n"
            "return (mul, mul_1)\n");
}

TEST(TraceTest, AnInputThatIsTransposedIsRefused) {
  EXPECT_EQ(WhyNot("x\ny = t_.default(x)\nreturn (y,)", {at::ones({2, 3})}),
            "input 0 lies otherwise in memory afterwards");
}

/// The outputs and gradients of the joint graph, with ones for tangents.
std::vector<at::Tensor> RunJoint(const graph::Graph& graph, Inputs inputs, const Traced& traced) {
  const at::NoGradGuard no_grad;
  for (const at::Tensor& tangent : traced.tangents)
    inputs.emplace_back(at::ones(tangent.sizes(), tangent.options()));
  const auto inputs_in_double = *graph::CastInputsToFp64(inputs);
  std::vector<at::Tensor> outputs;
  for (const IValue& output : graph::Interpreter(graph).Run(inputs_in_double))
    outputs.push_back(output.toTensor());
  return outputs;
}

TEST(TraceTest, TheJointGraphInFloat64IsAutogradInFloat64) {
  const std::string text =
      "x, w\n"
      "m = mm.default(x, w)\n"
      "s = _softmax.default(m, 1, False)\n"
      "c = _to_copy.default(s, dtype=torch.bfloat16)\n"
      "y = sum.default(c, dtype=torch.float32)\n"
      "return (y,)";
  const Inputs inputs = {at::ones({2, 3}).div(3), at::arange(6.0).div(7).view({3, 2}).requires_grad_()};
  const Traced traced = TraceText(text, inputs);
  const graph::Fp64Scope in_double;
  const std::vector<at::Tensor> actual = RunJoint(*graph::CastToFp64(traced.joint.graph), inputs, traced);
  const at::Tensor w = inputs[1].toTensor().detach().to(at::kDouble).requires_grad_();
  const at::Tensor y = inputs[0].toTensor().to(at::kDouble).mm(w).softmax(1).sum();
  y.backward();
  ASSERT_EQ(actual.size(), 2U);
  EXPECT_TRUE(actual[0].equal(y));
  EXPECT_TRUE(actual[1].equal(w.grad()));
}

}  // namespace
}  // namespace culprit::autograd
