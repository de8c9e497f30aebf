// SPDX-License-Identifier: Apache-2.0
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
using tests::SizesOf;
using tests::TestGraph;

TEST(SimplifyOperatorsTest, OperatorsBecomeTheSimplestOfTheirKind) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId y = g.Call("aten::hardswish", {x});
  g.Return({g.Call("aten::mul.Tensor", {g.Call("aten::clamp", {y, -1.0, 1.0}), x})});
  const SearchResult result =
      RunStrategy("simplify", {g.graph(), {at::ones({2})}}, [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program),
            "hardswish = relu.default(x)\n"
            "clamp = relu.default(hardswish)\n"
            "mul = add.Tensor(clamp, x)\n");
  EXPECT_EQ(result.questions, 1);
}

TEST(SimplifyOperatorsTest, TheGuiltyOperatorStays) {
  TestGraph g;
  g.Return({g.Call("aten::tanh", {g.Call("aten::hardswish", {g.Placeholder("x")})})});
  const SearchResult result = RunStrategy("simplify", {g.graph(), {at::ones({2})}}, [](const Program& p) {
    return CallsOf(p).find("= hardswish") != std::string::npos;
  });
  EXPECT_EQ(CallsOf(result.program), "hardswish = hardswish.default(x)\ntanh = relu.default(hardswish)\n");
}

TEST(SimplifyOperatorsTest, ComplexNumbersAreNegated) {
  TestGraph g;
  g.Return({g.Call("aten::exp", {g.Placeholder("x")})});
  const SearchResult result = RunStrategy("simplify", {g.graph(), {at::ones({2}, at::kComplexFloat)}},
                                          [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program), "exp = neg.default(x)\n");
}

TEST(SimplifyOperatorsTest, AConvolutionGetsAKernelOfOneElement) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId w = g.Placeholder("w", graph::PlaceholderKind::kParameter);
  g.Return({g.Call("aten::conv2d", {x, w, nullptr, {1, 1}, {1, 1}})});
  const SearchResult result =
      RunStrategy("simplify", {g.graph(), {at::ones({1, 2, 4, 4}), at::ones({3, 2, 3, 3})}},
                  [](const Program&) { return true; });
  EXPECT_EQ(SizesOf(result.program)[1], (std::vector<int64_t>{3, 2, 1, 1}));
  EXPECT_EQ(CallsOf(result.program), "conv2d = conv2d.default(x, w)\n");
}

TEST(SimplifyOperatorsTest, SimpleOperatorsStay) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::add.Tensor", {g.Call("aten::relu", {x}), x})});
  EXPECT_EQ(ProposalsWithoutSuccess("simplify", {g.graph(), {at::ones({2})}}), 0);
}

TEST(SimplifyOperatorsTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("simplify");
}

}  // namespace
}  // namespace culprit::minify::strategies
