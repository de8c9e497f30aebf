// SPDX-License-Identifier: Apache-2.0
#include "check/noise/move_at_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using tests::TestGraph;

std::vector<std::string> OperatorsOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node& node : graph.nodes()) names.push_back(node.op->plain_name());
  return names;
}

TEST(CopyWhereMovedTest, WhatIsSpecifiedGetsTheInputsAsTheyAre) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Call("aten::t", {g.Placeholder("x")})})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(movable.movements, ElementsAre(Movement::kNone, Movement::kNone));
  EXPECT_EQ(movable.graph, g.graph());
}

TEST(CopyWhereMovedTest, WhatRoundsInsideGetsCopiesOnceForAllUses) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {g.Call("aten::t", {x}), x}), g.Call("aten::tanh", {x})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(OperatorsOf(movable.graph), ElementsAre("t", "clone", "clone", "mm", "tanh"));
  EXPECT_THAT(movable.movements,
              ElementsAre(Movement::kNone, Movement::kAll, Movement::kAll, Movement::kNone, Movement::kNone));
}

TEST(CopyWhereMovedTest, OfWhatWasComputedOnlyFractionsMove) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::sum", {g.Call("aten::relu", {x})})});
  EXPECT_THAT(CopyWhereMoved(g.graph()).movements,
              ElementsAre(Movement::kNone, Movement::kFractions, Movement::kNone));
}

TEST(CopyWhereMovedTest, WhatWasRoundedIsMovedAlready) {
  TestGraph g;
  const ValueId tanh = g.Call("aten::tanh", {g.Placeholder("x")});
  g.Return({g.Call("aten::sin", {g.Call("aten::relu", {tanh})})});
  EXPECT_THAT(OperatorsOf(CopyWhereMoved(g.graph()).graph), ElementsAre("clone", "tanh", "relu", "sin"));
}

TEST(CopyWhereMovedTest, WhatIsWrittenIsCopiedAtEveryUseAndWrittenInPlace) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId sin = g.Call("aten::sin", {x});
  g.Call("aten::mul_.Tensor", {x, 2});
  g.Return({sin, g.Call("aten::cos", {x})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(OperatorsOf(movable.graph), ElementsAre("clone", "sin", "mul_", "clone", "cos"));
  EXPECT_EQ(movable.graph.nodes()[2].arguments[0].value(), movable.graph.placeholders()[0].value);
}

}  // namespace
}  // namespace culprit::check
