// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/fold_constants.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace culprit::compiler::passes {
namespace {

using graph::Graph;
using graph::Operator;
using graph::ValueId;

/// x + NAME(constant, others), where the constant has that many elements.
Graph SumWith(const char* name, int64_t elements, const std::vector<graph::Argument>& others = {}) {
  Graph graph;
  const ValueId x = graph.AddPlaceholder("x");
  const ValueId c = graph.AddConstant("c", at::ones({elements}));
  std::vector<graph::Argument> arguments = {c};
  arguments.insert(arguments.end(), others.begin(), others.end());
  const ValueId made = graph.AddNode(Operator::Get(name), std::move(arguments), {"made"}).results[0];
  const graph::Argument one(c10::IValue(1));
  graph.SetOutputs({graph.AddNode(Operator::Get("aten::add.Tensor"), {x, made, one}, {"sum"}).results[0]});
  return graph;
}

size_t CallsLeft(const Graph& graph, bool applies = true) {
  return FoldConstants(graph, [&] { return applies; }).nodes().size();
}

TEST(FoldConstantsTest, WhatDependsOnConstantsAloneIsComputedOnce) {
  const Graph folded = FoldConstants(SumWith("aten::neg", 3), [] { return true; });
  ASSERT_EQ(folded.nodes().size(), 1U);
  EXPECT_TRUE(folded.constants().back().tensor.equal(at::ones({3}).neg()));
}

TEST(FoldConstantsTest, NothingIsFoldedWhereItDoesNotApply) {
  EXPECT_EQ(CallsLeft(SumWith("aten::neg", 3), /*applies=*/false), 2U);
}

TEST(FoldConstantsTest, WhatReachesTheCallerIsMadeAnewAtEachCall) {
  Graph graph = SumWith("aten::neg", 3);
  graph.SetOutputs({graph.nodes()[0].results[0]});
  EXPECT_EQ(CallsLeft(graph), 2U);
}

TEST(FoldConstantsTest, ACallThatThrowsIsLeftForTheRun) {
  EXPECT_EQ(CallsLeft(SumWith("aten::inverse", 3)), 2U);
  // What libtorch says of numbers that are too large is no c10::Error.
  EXPECT_EQ(CallsLeft(SumWith("aten::leaky_relu", 3, {graph::Argument(c10::IValue(1e39))})), 2U);
}

}  // namespace
}  // namespace culprit::compiler::passes
