// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/rebuild.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// forward(x, n: int); c on cuda; relu = x.relu(); cat = cat([relu, c]); return (cat, None)
class RebuildTest : public testing::Test {
 protected:
  RebuildTest() {
    g_.graph().set_name("net_0_forward");
    const ValueId x = g_.Placeholder("x", PlaceholderKind::kParameter);
    g_.graph().SetSymbols(0, {"s0", ""});
    g_.Placeholder("n", PlaceholderKind::kInput, ValueKind::kInt);
    const ValueId c = g_.graph().AddConstant("c", at::zeros({1}), at::Device("cuda:0"));
    relu_ = g_.Call("aten::relu", {x});
    g_.Return({g_.Call("aten::cat", {{relu_, c}}), nullptr});
  }

  TestGraph g_;
  ValueId relu_;
};

TEST_F(RebuildTest, CopyingEverythingGivesTheSameGraph) {
  Rebuild rebuild(g_.graph());
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const Node& node : g_.graph().nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  EXPECT_EQ(std::move(rebuild).Take(), g_.graph());
}

TEST_F(RebuildTest, UsersOfAReplacedValueGetWhatStandsForIt) {
  Rebuild rebuild(g_.graph());
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  rebuild.Replace(relu_, ValueId{0});
  rebuild.CopyNode(g_.graph().nodes()[1]);
  rebuild.CopyOutputs();
  const Graph graph = std::move(rebuild).Take();
  ASSERT_EQ(graph.nodes().size(), 1);
  EXPECT_EQ(graph.nodes()[0].arguments[0], Argument(Argument::List{ValueId{0}, ValueId{2}}));
  EXPECT_EQ(graph.value(graph.outputs()[0].value()).name, "cat");
  EXPECT_TRUE(graph.outputs()[1].is_none());
}

TEST_F(RebuildTest, NodesAddedInBetweenShiftNothing) {
  Rebuild rebuild(g_.graph());
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  rebuild.CopyNode(g_.graph().nodes()[0]);
  const Argument copy = rebuild.Map(relu_);
  rebuild.Replace(relu_, rebuild.graph().AddNode(Operator::Get("aten::neg"), {copy}, {"neg"}).results[0]);
  rebuild.CopyNode(g_.graph().nodes()[1]);
  const Graph graph = std::move(rebuild).Take();
  EXPECT_EQ(graph.value(graph.nodes()[1].arguments[0].value()).name, "relu");
  EXPECT_EQ(graph.value(graph.nodes()[2].arguments[0].list()[0].value()).name, "neg");
}

}  // namespace
}  // namespace culprit::graph
