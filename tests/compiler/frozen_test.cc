// SPDX-License-Identifier: Apache-2.0
//
// Frozen parameters: what depends on them alone is computed when the graph is compiled.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

using Values = std::vector<c10::IValue>;
using graph::PlaceholderKind;

/// Everything behind x is a parameter.
graph::Graph WithParameters(const std::string& text) {
  graph::Graph graph = ShortGraph(text);
  for (size_t i = 1; i < graph.placeholders().size(); ++i)
    graph.SetPlaceholderKind(i, PlaceholderKind::kParameter);
  return graph;
}

const graph::Graph& Block() {
  static const graph::Graph graph = WithParameters(
      "x, W, B, w, b, m, v\n"
      "c = convolution.default(x, W, B, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)\n"
      "y, mean, invstd = native_batch_norm.default(c, w, b, m, v, False, 0.1, 1e-5)\n"
      "return (y,)");
  return graph;
}

Values BlockInputs() {
  return {at::randn({2, 3, 8, 8}), at::randn({4, 3, 3, 3}), at::randn({4}), at::randn({4}),
          at::randn({4}),          at::randn({4}),          at::rand({4})};
}

/// What becomes of a graph below autograd.
NativeCounts CountsBy(const std::string& setting, const graph::Graph& graph, const Values& inputs) {
  const at::NoGradGuard no_grad;
  const NativeCounts before = CountsOfNative();
  OpenNative(SettingOf(setting))->Compile(graph, inputs);
  NativeCounts made = CountsOfNative();
  made.calls -= before.calls;
  made.kernels -= before.kernels;
  return made;
}

TEST(FrozenTest, BatchNormBecomesPartOfTheConvolution) {
  const NativeCounts frozen = CountsBy("frozen", Block(), BlockInputs());
  EXPECT_EQ(frozen.calls, 1U);
  EXPECT_EQ(frozen.kernels, 0U);
  EXPECT_GT(CountsBy("fast", Block(), BlockInputs()).kernels, 0U);
}

TEST(FrozenTest, ExactMathKeepsBatchNorm) {
  EXPECT_GT(CountsBy("frozen,exact", Block(), BlockInputs()).kernels, 0U);
}

TEST(FrozenTest, WhatDependsOnParametersAloneIsNotComputedAtCalls) {
  const graph::Graph graph = WithParameters(
      "x, w, v\na = add.Tensor(v, 1e-5)\nb = rsqrt.default(a)\nc = mul.Tensor(b, w)\n"
      "d = t.default(c)\ny = mm.default(x, d)\nreturn (y,)");
  const Values inputs = {at::randn({2, 3}), at::randn({5, 3}), at::rand({5, 3})};
  EXPECT_EQ(CountsBy("frozen", graph, inputs).kernels, 0U);
  EXPECT_EQ(CountsBy("frozen,off=fold_constants", graph, inputs).kernels, 1U);
  EXPECT_EQ(CountsBy("fast", graph, inputs).kernels, 1U);
}

TEST(FrozenTest, ResultsAreEagers) {
  for (const char* setting : {"frozen", "frozen,exact", "frozen,llvm-o3", "frozen,off=fold_constants",
                              "frozen,off=decompose", "frozen,off=codegen"})
    EXPECT_EQ(Judge(*OpenNative(SettingOf(setting)), Block(), BlockInputs(), {.calls = 2}).difference, "")
        << setting;
}

TEST(FrozenTest, NumbersAreThoseOfTheCompilation) {
  const at::NoGradGuard no_grad;
  Values inputs = BlockInputs();
  const auto compiled = OpenNative(SettingOf("frozen"))->Compile(Block(), inputs);
  const auto call = [&] {
    Values given = inputs;
    return compiled->Call(given)[0].toTensor();
  };
  const at::Tensor before = call();
  inputs[1].toTensor().zero_();
  EXPECT_TRUE(graph::SameTensor(call(), before));
}

}  // namespace
}  // namespace culprit::tests
