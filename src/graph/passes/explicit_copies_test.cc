// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/explicit_copies.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using testing::ElementsAre;
using tests::TestGraph;

std::vector<std::string> OperatorsAfter(TestGraph g, std::vector<c10::IValue> inputs) {
  std::vector<std::string> names;
  const Graph result = MakeCopiesExplicit(g.graph(), std::move(inputs));
  for (const Node& node : result.nodes()) names.push_back(node.op->qualified_name());
  return names;
}

TEST(ExplicitCopiesTest, OnlyWhatWasCopiedIsCloned) {
  TestGraph g;
  g.Return({g.Call("aten::to.dtype", {g.Placeholder("x"), at::kFloat})});
  EXPECT_THAT(OperatorsAfter(g, {at::ones({2}, at::kHalf)}), ElementsAre("aten::to.dtype", "aten::clone"));
  EXPECT_THAT(OperatorsAfter(g, {at::ones({2})}), ElementsAre("aten::to.dtype"));
  EXPECT_THAT(OperatorsAfter(g, {at::ones({2}, at::kLong)}), ElementsAre("aten::to.dtype"));
}

TEST(ExplicitCopiesTest, OtherOperatorsThatCopyIfNeededCountToo) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::type_as", {x, g.Placeholder("y")})});
  EXPECT_THAT(OperatorsAfter(g, {at::ones({2}), at::ones({2}, at::kDouble)}),
              ElementsAre("aten::type_as", "aten::clone"));
}

TEST(ExplicitCopiesTest, TheValueKeepsItsName) {
  TestGraph g;
  const ValueId y = g.Call("aten::to.dtype", {g.Placeholder("x"), at::kFloat});
  g.Return({y});
  const Graph result = MakeCopiesExplicit(g.graph(), {at::ones({2}, at::kHalf)});
  EXPECT_EQ(result.value(result.outputs()[0].value()).name, g.graph().value(y).name);
}

}  // namespace
}  // namespace culprit::graph
