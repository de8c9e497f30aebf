// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/backwards.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/lib/watched_program.h"

namespace culprit::autograd {
namespace {

using testing::ElementsAre;
using tests::ShortText;
using tests::WatchedProgram;

at::Tensor Leaf(at::IntArrayRef sizes = {2, 3}) {
  int64_t numel = 1;
  for (const int64_t size : sizes) numel *= size;
  return at::arange(static_cast<double>(numel)).add(1).view(sizes).requires_grad_();
}

constexpr const char* kProduct = "x, w\ny = mul.Tensor(x, w)\nreturn (y,)";
constexpr const char* kTwoOutputs = "x\na = sin.default(x)\nb = exp.default(x)\nreturn (a, b)";

TEST(BackwardsTest, NothingIsCompiledBeforeAGradientIsWanted) {
  WatchedProgram program(kProduct);
  const at::Tensor y = program.First({Leaf(), Leaf()});
  EXPECT_THAT(program.CompiledNames(), ElementsAre("net_0_forward"));
  y.sum().backward();
  EXPECT_THAT(program.CompiledNames(), ElementsAre("net_0_forward", "net_0_backward"));
}

TEST(BackwardsTest, ASubsetOfTheGradientsIsComputedAlone) {
  WatchedProgram program(kProduct);
  const at::Tensor x = Leaf();
  const at::Tensor w = Leaf();
  const at::Tensor y = program.First({x, w});
  const at::Tensor gradient = torch::autograd::grad({y}, {w}, {at::ones({2, 3})})[0];
  EXPECT_TRUE(gradient.equal(x.detach()));
  EXPECT_FALSE(x.grad().defined());
  EXPECT_EQ(ShortText(program.watch.graphs.back()),
            "mul_1 = mul.Tensor(tangent_0, x)\n"
            "return (mul_1,)\n");
}

TEST(BackwardsTest, OnlyOneOfSeveralOutputsIsUsed) {
  WatchedProgram program(kTwoOutputs);
  const at::Tensor x = Leaf();
  program({x})[1].toTensor().backward(at::ones({2, 3}));
  EXPECT_TRUE(x.grad().equal(x.detach().exp()));
  EXPECT_EQ(ShortText(program.watch.graphs.back()),
            "mul = mul.Tensor(tangent_1, exp)\n"
            "return (mul,)\n");
}

TEST(BackwardsTest, EveryCaseIsCompiledOnce) {
  WatchedProgram program(kTwoOutputs);
  for (int i = 0; i < 3; ++i) {
    const at::Tensor x = Leaf();
    const backend::Values outputs = program({x});
    outputs[0].toTensor().backward(at::ones({2, 3}), /*retain_graph=*/true);
    outputs[1].toTensor().backward(at::ones({2, 3}), /*retain_graph=*/true);
    outputs[0].toTensor().add(outputs[1].toTensor()).backward(at::ones({2, 3}));
  }
  EXPECT_EQ(program.watch.graphs.size(), 1U + 3U);
}

TEST(BackwardsTest, TangentsThatLieOtherwiseGiveTheSameGradients) {
  const std::vector<at::Tensor> tangents = {at::ones({2, 3}).mul(2), at::ones({3, 2}).mul(2).t(),
                                            at::ones({}).mul(2).expand({2, 3}),
                                            at::ones({2, 6}).mul(2).slice(1, 0, 6, 2)};
  for (const char* text : {"x, w\ny = mm.default(x, w)\nreturn (y,)",
                           "x, w\nm = mm.default(x, w)\ny = exp.default(m)\nreturn (y,)"}) {
    WatchedProgram program(text);
    for (const at::Tensor& tangent : tangents) {
      const backend::Values plain = {Leaf({2, 2}).detach().div(9).requires_grad_(),
                                     Leaf({2, 3}).detach().div(9).requires_grad_()};
      const backend::Values compiled = {Leaf({2, 2}).detach().div(9).requires_grad_(),
                                        Leaf({2, 3}).detach().div(9).requires_grad_()};
      program.Plain(plain)[0].toTensor().backward(tangent);
      program.First(compiled).backward(tangent);
      for (size_t i = 0; i < plain.size(); ++i) {
        const at::Tensor& expected = plain[i].toTensor().grad();
        const at::Tensor& actual = compiled[i].toTensor().grad();
        EXPECT_TRUE(graph::SameTensor(expected, actual)) << tangent.strides();
      }
    }
  }
}

TEST(BackwardsTest, AnInputThatIsUsedTwiceGetsItsGradientsInTheOrderOfLibtorch) {
  WatchedProgram program(
      "x\n"
      "a = mul.Tensor(x, 0.1)\n"
      "b = mul.Tensor(x, 0.7)\n"
      "c = mul.Tensor(x, 1e8)\n"
      "d = add.Tensor(a, c)\n"
      "y = sub.Tensor(d, b)\n"
      "return (y,)");
  const auto gradient_behind_more = [&](bool compiled) {
    const at::Tensor leaf = Leaf();
    const at::Tensor x = leaf.mul(1);
    const at::Tensor y = compiled ? program.First({x}) : program.Plain({x})[0].toTensor();
    y.add(x.mul(-1e8)).sum().backward();
    return leaf.grad();
  };
  EXPECT_TRUE(graph::SameTensor(gradient_behind_more(true), gradient_behind_more(false)));
}

TEST(BackwardsTest, WhatTheCompilerThrowsComesOutOfBackward) {
  WatchedProgram program(kProduct);
  program.watch.compiling = [](const graph::Graph& graph) {
    if (graph.name() == "net_0_backward") throw std::runtime_error("no code for mul");
  };
  const at::Tensor x = Leaf();
  const at::Tensor y = program.First({x, Leaf()});
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      y.sum().backward({}, /*retain_graph=*/true);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "no code for mul");
    }
  }
  program.watch.compiling = [](const graph::Graph&) {};
  y.sum().backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(BackwardsTest, WhatBackwardDoesNotNeedMayBeWritten) {
  WatchedProgram program(kTwoOutputs);
  const at::Tensor x = Leaf();
  const backend::Values outputs = program({x});
  outputs[1].toTensor().detach().zero_();
  outputs[0].toTensor().sum().backward();
  EXPECT_TRUE(x.grad().equal(x.detach().cos()));
}

}  // namespace
}  // namespace culprit::autograd
