// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/single_call.h"

#include <gtest/gtest.h>

#include "graph/ir/verify.h"

namespace culprit::graph {
namespace {

TEST(SingleCallTest, TakesEachValueOnceAndReturnsAllResults) {
  Graph graph;
  const ValueId x = graph.AddPlaceholder("x");
  const ValueId y = graph.AddNode(Operator::Get("aten::relu"), {x}, {"y"}).results[0];
  const Argument keep(c10::IValue(false));
  const ValueId squared = graph.AddNode(Operator::Get("aten::mul.Tensor"), {y, y}, {"squared"}).results[0];
  graph.AddNode(Operator::Get("aten::max.dim"), {squared, Argument(c10::IValue(0)), keep}, {"most", "where"});
  const SingleCall product = TakeCall(graph, graph.nodes()[1]);
  EXPECT_EQ(product.takes, std::vector<ValueId>{y});
  EXPECT_EQ(product.graph.placeholders().size(), 1U);
  const SingleCall most = TakeCall(graph, graph.nodes()[2]);
  EXPECT_EQ(most.graph.outputs().size(), 2U);
  EXPECT_TRUE(Verify(most.graph).ok());
}

}  // namespace
}  // namespace culprit::graph
