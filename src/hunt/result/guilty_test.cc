// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/guilty.h"

#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::hunt {
namespace {

using tests::Chain;

TEST(GuiltyTest, AllThatIsLeftIsGuiltyInOrder) {
  const graph::Graph left = Chain(2, {{0, "exp"}, {1, "tanh"}}).graph;
  const std::vector<GuiltyOperator> guilty = GuiltyOf(left, left, {});
  ASSERT_EQ(guilty.size(), 2);
  EXPECT_EQ(guilty[0].name, "exp");
  EXPECT_EQ(guilty[0].operator_name, "aten::exp");
  EXPECT_EQ(guilty[0].source, "");
  EXPECT_EQ(guilty[1].operator_name, "aten::tanh");
}

TEST(GuiltyTest, ANameLeadsToTheLineOfTheOriginal) {
  const graph::Graph original = Chain(9, {{7, "tanh"}}).graph;
  const graph::Graph left = Chain(1, {{0, "tanh"}}).graph;
  EXPECT_EQ(GuiltyOf(left, original, {{"tanh", "net.py:8"}, {"sin", "net.py:1"}})[0].source, "net.py:8");
}

/// A chain of one operator whose result has another's name, as after the search replaced it.
graph::Graph Renamed(const std::string& operator_name, const std::string& result) {
  graph::Graph graph;
  const graph::ValueId x =
      graph.AddPlaceholder("x", graph::PlaceholderKind::kInput, graph::ValueKind::kTensor);
  const graph::Operator& op = graph::Operator::Get(operator_name);
  const auto bound = graph::BindArguments(graph, op, {{graph::Argument(x)}, {}});
  graph.SetOutputs({graph::Argument(graph.AddNode(op, *bound, {result}).results.at(0))});
  return graph;
}

TEST(GuiltyTest, WhatStandsInThePlaceOfAnotherSaysSo) {
  const graph::Graph original = Renamed("aten::exp", "y");
  const graph::Graph left = Renamed("aten::relu", "y");
  EXPECT_EQ(GuiltyOf(left, original, {})[0].source, "in the place of aten::exp");
  EXPECT_EQ(GuiltyOf(left, original, {{"y", "net.py:3"}})[0].source, "in the place of aten::exp, net.py:3");
}

TEST(GuiltyTest, TheModuleIsThatOfTheOriginal) {
  graph::Graph original = Renamed("aten::exp", "y");
  original.SetModelLine(graph::NodeId(0), std::make_shared<std::string>(
                                              "net.py:12 in forward, module: features.4, code: x.exp()"));
  EXPECT_EQ(GuiltyOf(Renamed("aten::relu", "y"), original, {})[0].module, "features.4");
  EXPECT_EQ(GuiltyOf(Renamed("aten::relu", "new"), original, {})[0].module, "");
}

TEST(GuiltyTest, WhatTheSearchAddedHasNoSource) {
  EXPECT_EQ(GuiltyOf(Renamed("aten::relu", "new"), Renamed("aten::exp", "y"), {{"y", "net.py:3"}})[0].source,
            "");
}

}  // namespace
}  // namespace culprit::hunt
