// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/decompose.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "graph/passes/freeze_placeholders.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"

namespace culprit::compiler::passes {
namespace {

using tests::ShortGraph;
using tests::ShortText;

graph::Graph Decomposed(const graph::Graph& graph) {
  return Decompose(graph, [](const DecomposeRow&) { return true; });
}

void ExpectSame(const graph::Graph& before, const graph::Graph& after,
                const std::vector<c10::IValue>& inputs) {
  const auto expected = graph::Interpreter(before).Run(inputs);
  const auto got = graph::Interpreter(after).Run(inputs);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].toTensor().scalar_type(), expected[i].toTensor().scalar_type());
    EXPECT_TRUE(got[i].toTensor().allclose(expected[i].toTensor(), 1e-5, 1e-6)) << "output " << i;
  }
}

graph::Graph Picked(const std::string& call) {
  return ShortGraph(
      "x\nparts = torch.ops.aten." + call +
      "\na = torch.ops.aten.neg.default(parts[1])\nb = torch.ops.aten.neg.default(parts[0])\nreturn (a, b)");
}

TEST(DecomposeTest, PartsThatArePickedBecomeSlices) {
  for (const char* call : {"split.Tensor(x, 2, 1)", "split_with_sizes.default(x, [1, 4], -1)",
                           "unbind.int(x, 0)", "unsafe_split.Tensor(x, 2, 1)", "split.Tensor(x, 3, 1)"}) {
    const graph::Graph graph = Picked(call);
    const graph::Graph after = Decomposed(graph);
    EXPECT_EQ(ShortText(after).find("parts"), std::string::npos) << ShortText(after);
    ExpectSame(graph, after, {at::rand({3, 5})});
  }
}

TEST(DecomposeTest, ARowThatDoesNotApplyChangesNothing) {
  const graph::Graph graph = Picked("split.Tensor(x, 2, 1)");
  EXPECT_EQ(Decompose(graph, [](const DecomposeRow& row) { return row.name != "split"; }), graph);
}

constexpr const char* kTraining =
    "x, w, b, m, v\n"
    "m1 = clone.default(m)\n"
    "v1 = clone.default(v)\n"
    "y, mean, invstd = native_batch_norm.default(x, w, b, m1, v1, True, 0.1, 1e-5)\n"
    "return (y, m1, v1, mean, invstd)";

TEST(DecomposeTest, RunningStatisticsAreResults) {
  const graph::Graph graph = ShortGraph(kTraining);
  const graph::Graph after = Decomposed(graph);
  for (const graph::Node& node : after.nodes())
    for (size_t i = 0; i < node.arguments.size(); ++i)
      EXPECT_FALSE(WritesInto(node, i) && node.arguments[i].is_value()) << node.op->qualified_name();
  EXPECT_EQ(after.value(after.outputs()[1].value()).name, "m1");
  EXPECT_EQ(after.value(after.outputs()[2].value()).name, "v1");
  ExpectSame(graph, after, {at::rand({4, 3, 5}), at::ones({3}), at::rand({3}), at::rand({3}), at::ones({3})});
}

TEST(DecomposeTest, AChannelWithoutVarianceKeepsNone) {
  const graph::Graph graph = ShortGraph(kTraining);
  ExpectSame(graph, Decomposed(graph),
             {at::ones({4, 3}), at::ones({3}), at::rand({3}), at::rand({3}), at::rand({3})});
}

TEST(DecomposeTest, AVarianceThatIsSmallBesideEpsKeepsItsDigits) {
  const graph::Graph graph = ShortGraph(
      "x, m, v\n"
      "m1 = clone.default(m)\n"
      "v1 = clone.default(v)\n"
      "y, mean, invstd = native_batch_norm.default(x, None, None, m1, v1, True, 1.0, 1e-3)\n"
      "return (v1,)");
  const std::vector<c10::IValue> inputs = {at::rand({4, 3, 5}).mul(1e-4), at::ones({3}), at::ones({3})};
  const at::Tensor expected = graph::Interpreter(graph).Run(inputs)[0].toTensor();
  const at::Tensor got = graph::Interpreter(Decomposed(graph)).Run(inputs)[0].toTensor();
  EXPECT_TRUE(got.allclose(expected, 1e-5, 0)) << got << expected;
}

TEST(DecomposeTest, ACopyThatWasReadBeforeStays) {
  const graph::Graph graph = ShortGraph(
      "x, m, v\n"
      "m1 = clone.default(m)\n"
      "v1 = clone.default(v)\n"
      "before = neg.default(m1)\n"
      "y, mean, invstd = native_batch_norm.default(x, None, None, m1, v1, True, 0.1, 1e-5)\n"
      "return (y, before, m1)");
  EXPECT_EQ(Decomposed(graph), graph);
}

/// A convolution of four channels, batch norm with constants, and something else.
graph::Graph WithConstants(const std::string& text, const std::vector<at::Tensor>& constants) {
  graph::Graph graph = ShortGraph(text);
  std::vector<c10::IValue> inputs = {at::Tensor()};
  for (size_t i = 1; i < graph.placeholders().size(); ++i) {
    graph.SetPlaceholderKind(i, graph::PlaceholderKind::kParameter);
    inputs.emplace_back(constants.at(i - 1));
  }
  return FreezePlaceholders(graph, inputs).graph;
}

size_t CountOf(const graph::Graph& graph, const std::string& op) {
  return std::ranges::count_if(graph.nodes(),
                               [&](const graph::Node& node) { return node.op->name() == "aten::" + op; });
}

std::string ConvolutionThenBatchNorm(const std::string& call, const std::string& norm = "w, b") {
  return "x, W, B, w, b, m, v\nc = " + call + "\ny, mean, invstd = native_batch_norm.default(c, " + norm +
         ", m, v, False, 0.1, 1e-5)\n";
}

std::vector<at::Tensor> Constants(int64_t channels = 4) {
  const auto each = [&] { return at::rand({channels}); };
  return {at::rand({channels, 3, 3}), each(), each(), each(), each(), each()};
}

constexpr const char* kWithBias = "convolution.default(x, W, B, [1], [1], [1], False, [0], 1)";
constexpr const char* kWithoutBias = "convolution.default(x, W, None, [2], [0], [1], False, [0], 1)";

TEST(DecomposeTest, FrozenBatchNormBecomesPartOfTheConvolution) {
  for (const char* call : {kWithBias, kWithoutBias}) {
    for (const char* norm : {"w, b", "None, b", "w, None", "None, None"}) {
      const graph::Graph graph =
          WithConstants(ConvolutionThenBatchNorm(call, norm) + "return (y,)", Constants());
      const graph::Graph after = Decomposed(graph);
      EXPECT_EQ(CountOf(after, "native_batch_norm"), 0U) << call << norm;
      EXPECT_EQ(after.value(after.outputs()[0].value()).name, "y");
      ExpectSame(graph, after, {at::rand({2, 3, 7})});
    }
  }
}

TEST(DecomposeTest, FrozenBatchNormRoundsOtherwise) {
  const graph::Graph graph = WithConstants(ConvolutionThenBatchNorm(kWithBias) + "return (y,)", Constants());
  EXPECT_EQ(Decompose(graph, [](const DecomposeRow& row) { return !row.rounds_otherwise; }), graph);
}

TEST(DecomposeTest, BatchNormStaysWhereAnotherReadsWhatItReads) {
  for (const char* returned : {"return (y, c)", "return (y, mean)"}) {
    const graph::Graph graph = WithConstants(ConvolutionThenBatchNorm(kWithBias) + returned, Constants());
    EXPECT_EQ(Decomposed(graph), graph) << returned;
  }
}

TEST(DecomposeTest, BatchNormStaysBehindATransposedConvolution) {
  const graph::Graph graph =
      WithConstants(ConvolutionThenBatchNorm("convolution.default(x, W, None, [1], [1], [1], True, [0], 1)") +
                        "return (y,)",
                    Constants(3));
  EXPECT_EQ(Decomposed(graph), graph);
}

TEST(DecomposeTest, BatchNormInAnotherDtypeStays) {
  std::vector<at::Tensor> constants = Constants();
  for (size_t i = 0; i < 2; ++i) constants[i] = constants[i].to(at::kBFloat16);
  const graph::Graph graph = WithConstants(ConvolutionThenBatchNorm(kWithBias) + "return (y,)", constants);
  EXPECT_EQ(Decomposed(graph), graph);
}

TEST(DecomposeTest, BatchNormWithParametersThatAreInputsStays) {
  const graph::Graph graph = ShortGraph(ConvolutionThenBatchNorm(kWithBias) + "return (y,)");
  EXPECT_EQ(Decomposed(graph), graph);
}

}  // namespace
}  // namespace culprit::compiler::passes
