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
using tests::TestGraph;

Program StridedConvolution() {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId w = g.Placeholder("w");
  const graph::ValueId c =
      g.Call("aten::convolution", {x, w, nullptr, {2, 2}, {3, 3}, {2, 2}, false, {0, 0}, 1});
  g.Return({g.Call("aten::leaky_relu", {g.Call("aten::mul.Tensor", {c, 2.75}), 0.2371})});
  return {g.graph(), {at::ones({1, 2, 9, 9}), at::ones({3, 2, 3, 3})}};
}

TEST(AttributesTest, TheSimplestEverywhere) {
  const SearchResult result =
      RunStrategy("attributes", StridedConvolution(), [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program),
            "convolution = convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)\n"
            "mul = mul.Tensor(convolution, 0.0)\n"
            "leaky_relu = leaky_relu.default(mul)\n");
  EXPECT_EQ(result.questions, 1);
}

TEST(AttributesTest, OneByOneIfSomeAreNeeded) {
  const SearchResult result = RunStrategy("attributes", StridedConvolution(), [](const Program& p) {
    const std::string calls = CallsOf(p);
    return calls.find("[2, 2], [0, 0]") != std::string::npos ||
           calls.find("[2, 2], [3, 3]") != std::string::npos;
  });
  EXPECT_EQ(CallsOf(result.program),
            "convolution = convolution.default(x, w, None, [2, 2], [0, 0], [1, 1], False, [0, 0], 1)\n"
            "mul = mul.Tensor(convolution, 0.0)\n"
            "leaky_relu = leaky_relu.default(mul)\n");
}

TEST(AttributesTest, WhatDoesNotRunIsNotAskedAbout) {
  TestGraph g;
  // With both bounds gone clamp throws.
  g.Return({g.Call("aten::clamp", {g.Placeholder("x"), 0.5, nullptr})});
  const SearchResult result =
      RunStrategy("attributes", {g.graph(), {at::ones({2})}}, [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program), "clamp = clamp.default(x, 0.0)\n");
}

TEST(AttributesTest, DefaultsStay) {
  TestGraph g;
  g.Return({g.Call("aten::leaky_relu", {g.Placeholder("x")})});
  EXPECT_EQ(ProposalsWithoutSuccess("attributes", {g.graph(), {at::ones({2})}}), 0);
}

TEST(AttributesTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("attributes");
}

}  // namespace
}  // namespace culprit::minify::strategies
