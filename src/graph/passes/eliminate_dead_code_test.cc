// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/eliminate_dead_code.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/ir/verify.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// What is left: the names of constants and of the nodes' first results, joined by blanks.
std::string WhatStays(TestGraph& g) {
  const Graph graph = EliminateDeadCode(g.graph());
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).error().message;
  std::string text;
  const auto append = [&](const std::string& name) { text += (text.empty() ? "" : " ") + name; };
  for (const TensorConstant& constant : graph.constants()) append(graph.value(constant.value).name);
  for (const Node& node : graph.nodes())
    append(node.results.empty() ? node.op->name() : graph.value(node.results[0]).name);
  return text;
}

class EliminateDeadCodeTest : public testing::Test {
 protected:
  TestGraph g_;
  const ValueId x_ = g_.Placeholder("x");
};

TEST_F(EliminateDeadCodeTest, DropsChainsThatNothingNeeds) {
  g_.Call("aten::neg", {g_.Call("aten::sin", {x_})});
  g_.Return({g_.Call("aten::cos", {x_})});
  EXPECT_EQ(WhatStays(g_), "cos");
}

TEST_F(EliminateDeadCodeTest, KeepsANodeOfWhichOneResultIsNeeded) {
  g_.Return({g_.CallAll("aten::max.dim", {x_, 0}).at(1)});
  EXPECT_EQ(WhatStays(g_), "max_1");
}

TEST_F(EliminateDeadCodeTest, KeepsWhatIsNeededOnlyInsideAList) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  g_.Return({g_.Call("aten::cat", {{x_, sin}})});
  EXPECT_EQ(WhatStays(g_), "sin cat");
}

TEST_F(EliminateDeadCodeTest, KeepsPlaceholdersTheirKindsAndTheName) {
  g_.Placeholder("w", PlaceholderKind::kParameter, ValueKind::kInt);
  g_.Return({x_});
  g_.graph().set_name("net_0_forward");
  EXPECT_EQ(EliminateDeadCode(g_.graph()), g_.graph());
}

TEST_F(EliminateDeadCodeTest, DropsConstantsThatNothingUses) {
  g_.Constant("unused", at::zeros({1}));
  const ValueId used = g_.Constant("used", at::zeros({1}));
  const ValueId of_dead_node = g_.Constant("of_dead_node", at::zeros({1}));
  g_.Call("aten::sin", {of_dead_node});
  g_.Return({g_.Call("aten::add.Tensor", {x_, used})});
  EXPECT_EQ(WhatStays(g_), "used add");
}

// Without them the draws behind them would shift.
TEST_F(EliminateDeadCodeTest, KeepsRandomOperators) {
  g_.Call("aten::rand_like", {x_});
  g_.Call("aten::bernoulli_.float", {g_.Call("aten::empty_like", {x_})});
  g_.Return({x_});
  EXPECT_EQ(WhatStays(g_), "rand_like empty_like bernoulli_");
}

TEST_F(EliminateDeadCodeTest, KeepsOperatorsWithoutResults) {
  g_.CallAll("aten::_assert_async", {x_});
  g_.Return({});
  EXPECT_EQ(WhatStays(g_), "aten::_assert_async");
}

TEST_F(EliminateDeadCodeTest, KeepsWritesIntoPlaceholders) {
  g_.Call("aten::add_.Tensor", {x_, 1});
  g_.Return({});
  EXPECT_EQ(WhatStays(g_), "add_");
}

TEST_F(EliminateDeadCodeTest, KeepsHiddenWritesIntoPlaceholders) {
  const ValueId mean = g_.Placeholder("mean", PlaceholderKind::kBuffer);
  g_.CallAll("aten::native_batch_norm", {x_, nullptr, nullptr, mean, nullptr, true, 0.1, 1e-5});
  g_.Return({});
  EXPECT_EQ(WhatStays(g_), "native_batch_norm");
}

TEST_F(EliminateDeadCodeTest, DropsHiddenWritesIntoNothing) {
  g_.CallAll("aten::native_batch_norm", {x_, nullptr, nullptr, nullptr, nullptr, true, 0.1, 1e-5});
  g_.Return({});
  EXPECT_EQ(WhatStays(g_), "");
}

TEST_F(EliminateDeadCodeTest, DropsWritesIntoDeadMemory) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  g_.Call("aten::add_.Tensor", {sin, 1});
  g_.Return({x_});
  EXPECT_EQ(WhatStays(g_), "");
}

TEST_F(EliminateDeadCodeTest, DropsWritesBehindTheLastLook) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  const ValueId cos = g_.Call("aten::cos", {sin});
  g_.Call("aten::add_.Tensor", {sin, 1});
  g_.Return({cos});
  EXPECT_EQ(WhatStays(g_), "sin cos");
}

TEST_F(EliminateDeadCodeTest, KeepsWritesBeforeTheLastLook) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  g_.Call("aten::add_.Tensor", {sin, 1});
  g_.Return({g_.Call("aten::cos", {sin})});
  EXPECT_EQ(WhatStays(g_), "sin add_ cos");
}

TEST_F(EliminateDeadCodeTest, KeepsWritesThatAreSeenThroughAView) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  const ValueId view = g_.Call("aten::view", {sin, {-1}});
  g_.Call("aten::add_.Tensor", {sin, 1});
  g_.Return({view});
  EXPECT_EQ(WhatStays(g_), "sin view add_");
}

TEST_F(EliminateDeadCodeTest, KeepsWritesThroughAViewThatAreSeenInTheBase) {
  const ValueId sin = g_.Call("aten::sin", {x_});
  const ValueId split = g_.Call("aten::split.Tensor", {sin, 1});
  const ValueId part = g_.Call("python::getitem.Tensor", {split, 0});
  g_.Call("aten::add_.Tensor", {part, 1});
  g_.Return({sin});
  EXPECT_EQ(WhatStays(g_), "sin split getitem add_");
}

}  // namespace
}  // namespace culprit::graph
