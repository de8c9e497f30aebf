// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/merge_equal_calls.h"

#include <gtest/gtest.h>

namespace culprit::compiler::passes {
namespace {

using graph::Graph;
using graph::Operator;
using graph::ValueId;

/// The same call twice, and their product.
Graph Twice(const char* name, const std::vector<graph::Argument>& more = {}) {
  Graph graph;
  std::vector<graph::Argument> arguments = {graph.AddPlaceholder("x")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ValueId a = graph.AddNode(Operator::Get(name), arguments, {"a"}).results[0];
  const ValueId b = graph.AddNode(Operator::Get(name), arguments, {"b"}).results[0];
  graph.SetOutputs({graph.AddNode(Operator::Get("aten::mul.Tensor"), {a, b}, {"product"}).results[0]});
  return graph;
}

size_t CallsLeft(const Graph& graph, bool applies = true) {
  return MergeEqualCalls(graph, [&] { return applies; }).graph.nodes().size();
}

TEST(MergeEqualCallsTest, EqualCallsAreOne) {
  EXPECT_EQ(CallsLeft(Twice("aten::relu")), 2U);
  EXPECT_EQ(CallsLeft(Twice("aten::relu"), /*applies=*/false), 3U);
}

TEST(MergeEqualCallsTest, ItIsKnownWhatStandsForAValueThatIsGone) {
  const auto merged = [](bool applies) {
    return MergeEqualCalls(Twice("aten::relu"), [&] { return applies; }).merged_into;
  };
  EXPECT_EQ(merged(true), (std::map<std::string, std::string>{{"b", "a"}}));
  EXPECT_TRUE(merged(false).empty());
}

TEST(MergeEqualCallsTest, RandomNumbersAreDrawnAsOftenAsTheProgramDoes) {
  EXPECT_EQ(CallsLeft(Twice("aten::bernoulli", {graph::Argument()})), 3U);
}

TEST(MergeEqualCallsTest, TwoThatReachTheCallerStayTwoAlsoBehindAView) {
  Graph graph = Twice("aten::relu");
  const ValueId a = graph.nodes()[0].results[0];
  const ValueId b = graph.nodes()[1].results[0];
  const ValueId view = graph.AddNode(Operator::Get("aten::detach"), {b}, {"view"}).results[0];
  graph.SetOutputs({a, view});
  EXPECT_EQ(CallsLeft(graph), 4U);
  graph.SetOutputs({view});
  EXPECT_EQ(CallsLeft(graph), 3U);
}

TEST(MergeEqualCallsTest, OneThatDoesNotReachTheCallerIsMergedWithOneThatDoesAndNoMore) {
  Graph graph = Twice("aten::relu");
  const ValueId product = graph.outputs()[0].value();
  const ValueId x = graph.placeholders()[0].value;
  const ValueId c = graph.AddNode(Operator::Get("aten::relu"), {x}, {"c"}).results[0];
  const ValueId d = graph.AddNode(Operator::Get("aten::relu"), {x}, {"d"}).results[0];
  graph.SetOutputs({product, c, d});
  EXPECT_EQ(CallsLeft(graph), 3U);
}

}  // namespace
}  // namespace culprit::compiler::passes
