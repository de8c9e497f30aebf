// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"
#include "tests/lib/strategy_run.h"

namespace culprit::minify::strategies {
namespace {

using graph::PlaceholderKind;
using tests::ExpectValidOnRandomGraphs;
using tests::ProposalsWithoutSuccess;
using tests::RunStrategy;
using tests::TestGraph;

Program Affine() {
  TestGraph g;
  const graph::ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const graph::ValueId b = g.Constant("b", at::ones({2}));
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::mul.Tensor", {x, w}), b})});
  return {g.graph(), {at::ones({2}), at::ones({2})}};
}

TEST(UnfreezeTest, AllAtOnceIfTheFailureStays) {
  const SearchResult result = RunStrategy("unfreeze", Affine(), [](const Program&) { return true; });
  EXPECT_EQ(result.questions, 1);
  EXPECT_TRUE(result.program.graph.constants().empty());
  for (const graph::Placeholder& placeholder : result.program.graph.placeholders())
    EXPECT_EQ(placeholder.kind, PlaceholderKind::kInput);
  EXPECT_EQ(result.program.inputs.size(), 3);
}

TEST(UnfreezeTest, WhatHasToBeFrozenStays) {
  const SearchResult result = RunStrategy("unfreeze", Affine(), [](const Program& program) {
    return program.graph.placeholders()[0].kind == PlaceholderKind::kParameter;
  });
  EXPECT_TRUE(result.program.graph.constants().empty());
  EXPECT_EQ(result.program.graph.placeholders()[0].kind, PlaceholderKind::kParameter);
}

TEST(UnfreezeTest, InputsAreInputs) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  EXPECT_EQ(ProposalsWithoutSuccess("unfreeze", {g.graph(), {at::ones({2})}}), 0);
}

TEST(UnfreezeTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("unfreeze");
}

}  // namespace
}  // namespace culprit::minify::strategies
