// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace_symbols.h"

#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using tests::ShortGraph;
using tests::ShortText;

/// With symbols for the sizes of the first placeholder.
graph::Graph WithSymbols(const std::string& text, const std::vector<std::string>& symbols) {
  graph::Graph graph = ShortGraph(text);
  graph.SetSymbols(0, symbols);
  return graph;
}

TEST(TraceSymbolsTest, SizesInBackwardComeFromForward) {
  const graph::Graph graph = WithSymbols("x\ny = amax.default(x, [1], False)\nreturn (y,)", {"s0", ""});
  std::string fixed;
  const Traced traced = TraceSymbols(graph, {at::randn({3, 2}).requires_grad_()}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "");
  EXPECT_EQ(ShortText(traced.joint.graph),
            "s0 = sym_size.int(x, 0)\n"
            "amax = amax.default(x, [1])\n"
            "view = view.default(amax, [s0, 1])\n"
            "eq = eq.Tensor(view, x)\n"
            "view_1 = view.default(tangent_0, [s0, 1])\n"
            "sum = sum.dim_IntList(eq, [1], True)\n"
            "div = div.Tensor(view_1, sum)\n"
            "mul = mul.Tensor(div, eq)\n"
            "return (amax, mul)\n");
  EXPECT_EQ(traced.joint.forward_nodes, 2);
}

TEST(TraceSymbolsTest, AViewWithGradientsIsForItsSizesAlone) {
  const graph::Graph graph = WithSymbols("x\ny = sin.default(x)\nreturn (y,)", {"s0", ""});
  const at::Tensor base = at::randn({3, 2}).requires_grad_();
  std::string fixed;
  TraceSymbols(graph, {base.slice(0, 0, 2)}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "x shares its memory");
}

TEST(TraceSymbolsTest, ATensorThatLibtorchMakesOfASizeIsComputed) {
  const graph::Graph graph = WithSymbols(
      "x\ns0 = sym_size.int(x, 0)\nc = gt.Scalar(x, 0)\ny = where.ScalarOther(c, x, s0)\nreturn (y,)",
      {"s0", ""});
  std::string fixed;
  const Traced traced = TraceSymbols(graph, {at::randn({3, 2}).requires_grad_()}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "");
  EXPECT_THAT(ShortText(traced.joint.graph), testing::HasSubstr("scalar_tensor.default(s0"));
}

TEST(TraceSymbolsTest, IsComparedWithATraceForOtherSizes) {
  const graph::Graph graph =
      WithSymbols("x\ny = slice.Tensor(x, 0, 1, 100)\nz = squeeze.dim(y, 0)\na = sin.default(z)\nreturn (a,)",
                  {"s0", ""});
  std::string fixed;
  const Traced general = TraceSymbols(graph, {at::randn({5, 2}).requires_grad_()}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "");
  const auto compare = [&](int64_t size) {
    return CompareTrace(graph, {at::randn({size, 2}).requires_grad_()}, std::nullopt, general);
  };
  EXPECT_EQ(compare(5), "");
  EXPECT_EQ(compare(200), "");
  // There is one row left, and squeeze removes it.
  EXPECT_NE(compare(2), "");
}

/// What is otherwise for so many columns, in a graph that was traced for 5.
std::string OtherwiseFor(int64_t columns, const graph::Graph& graph) {
  std::string fixed;
  const Traced general = TraceSymbols(graph, {at::randn({3, 5}).requires_grad_()}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "");
  return CompareTrace(graph, {at::randn({3, columns}).requires_grad_()}, std::nullopt, general);
}

TEST(TraceSymbolsTest, BackwardCutsOffWhatForwardHasPaddedWith) {
  const graph::Graph graph = WithSymbols(
      "x\ns0 = sym_size.int(x, 1)\n"
      "y = torch.ops.aten.constant_pad_nd.default(x, [0, s0 % 7])\n"
      "z = sin.default(y)\nreturn (z,)",
      {"", "s0"});
  for (const int64_t columns : {2, 6, 7, 20}) EXPECT_EQ(OtherwiseFor(columns, graph), "") << columns;
}

TEST(TraceSymbolsTest, ASliceThatIsAllOfItsTensorForSomeSizesIsASliceForThem) {
  const graph::Graph graph = WithSymbols(
      "x\ns0 = sym_size.int(x, 1)\n"
      "y = torch.ops.aten.constant_pad_nd.default(x, [0, s0 % 7])\n"
      "v = slice.Tensor(y, 1, 0, s0)\nz = sin.default(v)\nreturn (z,)",
      {"", "s0"});
  for (const int64_t columns : {6, 7, 14}) EXPECT_EQ(OtherwiseFor(columns, graph), "") << columns;
}

TEST(TraceSymbolsTest, WhatIsCopiedForSomeSizesIsCopiedForAll) {
  const graph::Graph graph = WithSymbols(
      "x\ns0 = sym_size.int(x, 1)\n"
      "y = torch.ops.aten.constant_pad_nd.default(x, [0, s0 % 7])\n"
      "v = slice.Tensor(y, 1, 0, s0)\nc = contiguous.default(v)\nz = sin.default(c)\nreturn (z,)",
      {"", "s0"});
  for (const int64_t columns : {6, 7, 14}) EXPECT_EQ(OtherwiseFor(columns, graph), "") << columns;
}

}  // namespace
}  // namespace culprit::autograd
