// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/decompose.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "graph/interpreter.h"
#include "graph/verify.h"
#include "tests/lib/short_graph.h"

namespace culprit::compiler::passes {
namespace {

using tests::ShortGraph;
using tests::ShortText;

graph::Graph Decomposed(const graph::Graph& graph) {
  return Decompose(graph, [](std::string_view) { return true; });
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
  EXPECT_EQ(Decompose(graph, [](std::string_view row) { return row != "split"; }), graph);
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

}  // namespace
}  // namespace culprit::compiler::passes
