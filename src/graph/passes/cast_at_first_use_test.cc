// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/cast_at_first_use.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using testing::ElementsAre;
using tests::TestGraph;

std::vector<std::string> NamesIn(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(graph.value(node.results[0]).name);
  return names;
}

TEST(CastAtFirstUseTest, WithoutADtypeNothingIsCast) {
  TestGraph g;
  g.Return({g.Call("aten::sin", {g.Placeholder("x")})});
  EXPECT_THAT(NamesIn(CastAtFirstUse(g.graph(), {std::nullopt})), ElementsAre("sin"));
}

TEST(CastAtFirstUseTest, EachInputIsCastOnceBeforeWhatUsesItFirst) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  const ValueId sin = g.Call("aten::sin", {x});
  const ValueId mul = g.Call("aten::mul.Tensor", {sin, y});
  g.Return({g.Call("aten::cat", {{mul, x, y}})});
  const Graph cast = CastAtFirstUse(g.graph(), {at::kDouble, at::kDouble});
  EXPECT_THAT(NamesIn(cast), ElementsAre("x_1", "sin", "y_1", "mul", "cat"));
  const at::Tensor result =
      Interpreter(cast).Run({at::full({2}, 2.0, at::kFloat), at::ones({2})}).at(0).toTensor();
  EXPECT_EQ(result.scalar_type(), at::kDouble);
}

TEST(CastAtFirstUseTest, WhatIsOnlyReturnedIsCastAtTheEndAndWhatIsUnusedIsNot) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Placeholder("unused");
  g.Return({x, x});
  EXPECT_THAT(NamesIn(CastAtFirstUse(g.graph(), {at::kDouble, at::kDouble})), ElementsAre("x_1"));
}

TEST(CastAtFirstUseTest, StridesAreKept) {
  TestGraph g;
  g.Return({g.Placeholder("x")});
  const at::Tensor x = at::ones({2, 3}).t();
  const at::Tensor cast = Interpreter(CastAtFirstUse(g.graph(), {at::kDouble})).Run({x}).at(0).toTensor();
  EXPECT_EQ(cast.strides(), x.strides());
}

}  // namespace
}  // namespace culprit::graph
