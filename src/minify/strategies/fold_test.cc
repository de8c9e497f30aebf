// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"
#include "tests/lib/strategy_run.h"

namespace culprit::minify::strategies {
namespace {

using tests::CallsOf;
using tests::ExpectValidOnRandomGraphs;
using tests::ProposalsWithoutSuccess;
using tests::RunStrategy;
using tests::TestGraph;

/// scaled = w * s; x + scaled
Program ScaledWeight(graph::PlaceholderKind kind) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId w = g.Placeholder("w", kind);
  const graph::ValueId s = g.Constant("s", at::full({2}, 3.0));
  g.Return({g.Call("aten::add.Tensor", {x, g.Call("aten::mul.Tensor", {w, s})})});
  return {g.graph(), {at::ones({2}), at::full({2}, 2.0)}};
}

TEST(FoldTest, WhatIsComputedFromWeightsBecomesAConstant) {
  const SearchResult result = RunStrategy("fold", ScaledWeight(graph::PlaceholderKind::kParameter),
                                          [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program), "add = add.Tensor(x, mul)\n");
  ASSERT_EQ(result.program.graph.constants().size(), 1);
  EXPECT_TRUE(result.program.graph.constants()[0].tensor.equal(at::full({2}, 6.0)));
  EXPECT_EQ(result.program.inputs.size(), 1);
}

TEST(FoldTest, WhatIsComputedFromInputsStays) {
  EXPECT_EQ(ProposalsWithoutSuccess("fold", ScaledWeight(graph::PlaceholderKind::kInput)), 0);
}

TEST(FoldTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("fold");
}

}  // namespace
}  // namespace culprit::minify::strategies
