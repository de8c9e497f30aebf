// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/lower.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "autograd/functional/untraceable.h"
#include "base/internal_error.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using tests::ShortText;

graph::Graph Named(const std::string& text) {
  graph::Graph graph = tests::ShortGraph(text);
  graph.set_name("net_0_captured");
  return graph;
}

Lowered LowerText(const std::string& text, const backend::Values& inputs) {
  return Lower(Named(text), inputs, kPartitionModes[0]);
}

constexpr const char* kChain = "x, w\na = exp.default(x)\ny = mul.Tensor(a, w)\nreturn (y,)";

TEST(LowerTest, MakesAForwardAndABackwardGraph) {
  const Lowered lowered = LowerText(kChain, {at::ones({3}).requires_grad_(), at::ones({3})});
  EXPECT_TRUE(lowered.has_backward());
  EXPECT_EQ(lowered.partition.forward.name(), "net_0_forward");
  EXPECT_EQ(lowered.partition.backward.name(), "net_0_backward");
  EXPECT_EQ(ShortText(lowered.partition.backward),
            "mul_1 = mul.Tensor(tangent_0, w)\n"
            "mul_2 = mul.Tensor(mul_1, exp)\n"
            "return (mul_2,)\n");
}

TEST(LowerTest, WithoutGradientsItIsAnInferenceGraph) {
  const Lowered lowered = LowerText(kChain, {at::ones({3}), at::ones({3})});
  EXPECT_FALSE(lowered.has_backward());
  EXPECT_EQ(lowered.partition.forward.name(), "net_0_inference");
  EXPECT_EQ(lowered.partition.saved.size(), 0U);
}

TEST(LowerTest, WhatIsNotNeededIsLeftOut) {
  const at::NoGradGuard no_grad;
  const Lowered lowered = LowerText(
      "x\n"
      "a = detach.default(x)\n"
      "b = exp.default(a)\n"
      "c = exp.default(x)\n"
      "d = neg.default(x)\n"
      "y = add.Tensor(b, c)\n"
      "return (y,)",
      {at::ones({3})});
  EXPECT_EQ(ShortText(lowered.partition.forward),
            "exp = exp.default(x)\n"
            "add = add.Tensor(exp, exp)\n"
            "return (add,)\n");
}

std::string WhyNot(const std::string& text, const backend::Values& inputs) {
  try {
    LowerText(text, inputs);
  } catch (const Untraceable& reason) {
    const std::string why = reason.what();
    return why.substr(0, why.find('\n'));
  }
  return "";
}

TEST(LowerTest, SaysWhyAGraphCannotBeLowered) {
  EXPECT_EQ(WhyNot("x\ny = nonzero.default(x)\nreturn (y,)", {at::ones({3})}),
            "aten::nonzero depends on data");
  EXPECT_EQ(WhyNot("x\ny = t.default(x)\nz = mm.default(x, x)\nreturn (z,)", {at::ones({2, 3})}),
            "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
  EXPECT_EQ(WhyNot("x\ny = zero_.default(x)\nreturn ()", {at::ones({2}).requires_grad_()}),
            "a leaf Variable that requires grad is being used in an in-place operation.");
}

TEST(LowerTest, AViewThatIsWrittenWithoutItsHistoryIsRefused) {
  const at::Tensor view = at::ones({4}).requires_grad_().mul(1).slice(0, 0, 2);
  EXPECT_EQ(WhyNot("x\nd = detach.default(x)\ny = zero_.default(d)\nreturn ()", {view}),
            "input 0, a view with gradients, is written");
}

TEST(LowerTest, TheExampleForBackwardIsWhatItTakes) {
  const backend::Values inputs = {at::arange(3.0).requires_grad_(), at::ones({3})};
  const Lowered lowered = LowerText(kChain, inputs);
  const backend::Values example = ExampleForBackward(lowered, inputs, 1);
  ASSERT_EQ(example.size(), lowered.partition.backward.placeholders().size());
  const at::Tensor gradient = graph::Interpreter(lowered.partition.backward).Run(example)[0].toTensor();
  const at::Tensor& tangent = example.back().toTensor();
  EXPECT_TRUE(gradient.equal(tangent.mul(1).mul(at::arange(3.0).exp())));
  EXPECT_FALSE(gradient.requires_grad());
}

TEST(LowerTest, TheExampleDependsOnTheSeedAndOnNothingElse) {
  const backend::Values inputs = {at::arange(3.0).requires_grad_(), at::ones({3})};
  const Lowered lowered = LowerText(kChain, inputs);
  const auto tangent = [&](uint64_t seed) {
    return ExampleForBackward(lowered, inputs, seed).back().toTensor();
  };
  EXPECT_TRUE(tangent(1).equal(tangent(1)));
  EXPECT_FALSE(tangent(1).equal(tangent(2)));
}

TEST(LowerTest, TheExampleLeavesInputsAndRandomNumbersAsTheyAre) {
  const std::string text =
      "x, w\na = exp_.default(w)\nb = dropout.default(x, 0.5, True)\ny = mul.Tensor(b, a)\nreturn (y,)";
  const backend::Values inputs = {at::ones({3}).requires_grad_(), at::ones({3})};
  const Lowered lowered = LowerText(text, inputs);
  at::manual_seed(1);
  ExampleForBackward(lowered, inputs, 7);
  const at::Tensor drawn = at::rand({3});
  at::manual_seed(1);
  EXPECT_TRUE(drawn.equal(at::rand({3})));
  EXPECT_TRUE(inputs[1].toTensor().equal(at::ones({3})));
}

TEST(LowerTest, AGraphWithAParameterInsideIsAnInternalError) {
  graph::Graph graph = Named("x\nreturn (x,)");
  graph.AddConstant("weight", at::ones({1}).requires_grad_());
  EXPECT_THROW(Lifted(graph), base::InternalError);
}

TEST(LowerTest, ParametersAndBuffersAreLifted) {
  graph::Graph graph = Named("x, w\nreturn (x,)");
  graph.SetPlaceholderKind(1, graph::PlaceholderKind::kParameter);
  EXPECT_EQ(Lifted(graph).placeholders()[1].kind, graph::PlaceholderKind::kInput);
}

}  // namespace
}  // namespace culprit::autograd
