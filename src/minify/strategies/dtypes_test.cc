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

Program Mixed() {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId i = g.Placeholder("i");
  const graph::ValueId sum = g.Call("aten::add.Tensor", {x, i});
  g.Return({g.Call("aten::_to_copy", {sum}, {{"dtype", at::kDouble}})});
  return {g.graph(), {at::ones({2}, at::kBFloat16), at::ones({2}, at::kLong)}};
}

at::ScalarType DtypeOf(const Program& program, size_t input) {
  return program.inputs[input].toTensor().scalar_type();
}

TEST(DtypesTest, AllAtOnce) {
  const SearchResult result = RunStrategy("dtypes", Mixed(), [](const Program&) { return true; });
  EXPECT_EQ(result.questions, 1);
  EXPECT_EQ(DtypeOf(result.program, 0), at::kFloat);
  EXPECT_EQ(DtypeOf(result.program, 1), at::kInt);
  EXPECT_NE(CallsOf(result.program).find("torch.float32"), std::string::npos) << CallsOf(result.program);
}

TEST(DtypesTest, WhatIsNeededStays) {
  const SearchResult result = RunStrategy(
      "dtypes", Mixed(), [](const Program& program) { return DtypeOf(program, 0) == at::kBFloat16; });
  EXPECT_EQ(DtypeOf(result.program, 0), at::kBFloat16);
  EXPECT_EQ(DtypeOf(result.program, 1), at::kInt);
}

TEST(DtypesTest, Float32Stays) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  EXPECT_EQ(ProposalsWithoutSuccess("dtypes", {g.graph(), {at::ones({2})}}), 0);
}

TEST(DtypesTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("dtypes");
}

}  // namespace
}  // namespace culprit::minify::strategies
