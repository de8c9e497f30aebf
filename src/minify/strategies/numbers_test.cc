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

TEST(NumbersTest, OneElementBecomesANumber) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId y = g.Call("aten::mul.Tensor", {x, g.Placeholder("s")});
  g.Return({g.Call("aten::add.Tensor", {y, g.Constant("i", at::full({}, 3))})});
  const SearchResult result = RunStrategy("numbers", {g.graph(), {at::ones({2}), at::full({1, 1}, 2.5)}},
                                          [](const Program&) { return true; });
  EXPECT_EQ(CallsOf(result.program), "mul = mul.Tensor(x, 2.5)\nadd = add.Tensor(mul, 3)\n");
  EXPECT_EQ(result.program.inputs.size(), 1);
  EXPECT_EQ(result.questions, 1);
}

TEST(NumbersTest, WhatIsWrittenOrReturnedOrFirstStays) {
  TestGraph g;
  const graph::ValueId first = g.Placeholder("first");
  const graph::ValueId written = g.Placeholder("written");
  const graph::ValueId returned = g.Placeholder("returned");
  g.Call("aten::add_.Tensor", {written, returned});
  g.Return({g.Call("aten::relu", {first}), returned});
  EXPECT_EQ(ProposalsWithoutSuccess("numbers", {g.graph(), {at::ones({1}), at::ones({1}), at::ones({1})}}),
            0);
}

TEST(NumbersTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("numbers");
}

}  // namespace
}  // namespace culprit::minify::strategies
