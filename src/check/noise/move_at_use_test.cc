// SPDX-License-Identifier: Apache-2.0
#include "check/noise/move_at_use.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using testing::ElementsAre;
using tests::TestGraph;

std::vector<Movement> MovementsOf(const MovableGraph& movable) {
  std::vector<Movement> movements;
  for (const MovedCopy& copy : movable.copies) movements.push_back(copy.movement);
  return movements;
}

std::vector<std::string> OperatorsOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node& node : graph.nodes()) names.push_back(node.op->plain_name());
  return names;
}

TEST(CopyWhereMovedTest, WhatIsSpecifiedGetsTheInputsAsTheyAre) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Call("aten::t", {g.Placeholder("x")})})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(MovementsOf(movable), ElementsAre(Movement::kNone, Movement::kNone));
  EXPECT_EQ(movable.graph, g.graph());
}

TEST(CopyWhereMovedTest, WhatRoundsInsideGetsCopiesOnceForAllUses) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mm", {g.Call("aten::t", {x}), x}), g.Call("aten::tanh", {x})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(OperatorsOf(movable.graph), ElementsAre("t", "clone", "clone", "mm", "tanh"));
  EXPECT_THAT(MovementsOf(movable),
              ElementsAre(Movement::kNone, Movement::kAll, Movement::kAll, Movement::kNone, Movement::kNone));
}

TEST(CopyWhereMovedTest, OfWhatWasComputedOnlyFractionsMove) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::sum", {g.Call("aten::relu", {x})})});
  EXPECT_THAT(MovementsOf(CopyWhereMoved(g.graph())),
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

TEST(CopyWhereMovedTest, OfOneProductOnlyComplexOperandsMoveAndWhatComesOfItDoes) {
  TestGraph g;
  g.Return({g.Call("aten::sum", {g.Call("aten::mul.Tensor", {g.Placeholder("x"), 2})})});
  const MovableGraph movable = CopyWhereMoved(g.graph());
  EXPECT_THAT(OperatorsOf(movable.graph), ElementsAre("clone", "mul", "clone", "sum"));
  EXPECT_EQ(movable.copies[0], (MovedCopy{Movement::kAll, /*only_complex=*/true}));
  EXPECT_EQ(movable.copies[2], (MovedCopy{Movement::kFractions}));
}

TEST(CopyWhereMovedTest, ConstantsAreMovedAsWhatWasComputed) {
  TestGraph g;
  g.Return({g.Call("aten::sum", {g.Constant("c", at::ones({4}))})});
  EXPECT_THAT(MovementsOf(CopyWhereMoved(g.graph())), ElementsAre(Movement::kFractions, Movement::kNone));
}

TEST(CopyWhereMovedTest, WhatMayBeTheInputItselfIsNotCopiedIfSomebodyWritesIntoIt) {
  for (const bool is_written : {false, true}) {
    TestGraph g;
    const ValueId dropout = g.Call("aten::dropout", {g.Placeholder("x"), 0.5, false});
    if (is_written) g.Call("aten::relu_", {dropout});
    g.Return({dropout});
    EXPECT_EQ(OperatorsOf(CopyWhereMoved(g.graph()).graph).front(), is_written ? "dropout" : "clone");
  }
}

TEST(CopyWhereMovedTest, WhatWasWrittenIntoAnInputWasComputed) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::floor_", {x});
  g.Return({g.Call("aten::sum", {x})});
  EXPECT_THAT(MovementsOf(CopyWhereMoved(g.graph())),
              ElementsAre(Movement::kNone, Movement::kFractions, Movement::kNone));
}

}  // namespace
}  // namespace culprit::check
