// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"
#include "tests/lib/strategy_run.h"

namespace culprit::minify::strategies {
namespace {

using tests::CallsOf;
using tests::ExpectValidOnRandomGraphs;
using tests::Oracle;
using tests::ProposalsWithoutSuccess;
using tests::RunStrategy;
using tests::SizesOf;
using tests::TestGraph;
using Shapes = std::vector<std::vector<int64_t>>;

constexpr auto kAlwaysFails = [](const Program&) { return true; };

SearchResult Shrunk(TestGraph& g, std::vector<c10::IValue> inputs, const Oracle& fails = kAlwaysFails) {
  return RunStrategy("shapes", {g.graph(), std::move(inputs)}, fails);
}

TEST(ShapesTest, EverythingBecomesAsSmallAsPossible) {
  TestGraph g;
  g.Return({g.Call("aten::addmm", {g.Placeholder("b"), g.Placeholder("x"), g.Placeholder("w")})});
  const SearchResult result = Shrunk(g, {at::ones({5}), at::ones({8, 7}), at::ones({7, 5})});
  EXPECT_EQ(SizesOf(result.program), (Shapes{{1}, {1, 1}, {1, 1}}));
  EXPECT_EQ(result.questions, 1);
}

TEST(ShapesTest, SizesThatAreNotMonotone) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::conv2d", {x, g.Placeholder("w"), g.Placeholder("b")})});
  const SearchResult result = Shrunk(
      g, {at::ones({4, 3, 9, 9}), at::ones({20, 3, 3, 3}), at::ones({20})}, [](const Program& program) {
        const at::Tensor x = program.inputs[0].toTensor(), w = program.inputs[1].toTensor();
        return w.size(0) % 16 != 0 && w.size(0) > 3 && x.size(2) - w.size(2) > 0;
      });
  EXPECT_EQ(SizesOf(result.program), (Shapes{{1, 1, 2, 1}, {4, 1, 1, 1}, {4}}));
}

TEST(ShapesTest, ViewsFollow) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId c = g.Call("aten::conv2d", {x, g.Placeholder("w")});
  const graph::ValueId v = g.Call("aten::view", {c, {4, 320}});
  g.Return({g.Call("aten::mm", {v, g.Placeholder("m")})});
  const SearchResult result =
      Shrunk(g, {at::ones({4, 3, 6, 6}), at::ones({20, 3, 3, 3}), at::ones({320, 10})},
             [](const Program& program) { return program.inputs[1].toTensor().size(0) == 20; });
  EXPECT_EQ(result.program.inputs[0].toTensor().size(0), 1);
  EXPECT_EQ(result.program.inputs[2].toTensor().size(1), 1);
  EXPECT_NE(CallsOf(result.program).find("view.default(conv2d, [1, "), std::string::npos);
}

TEST(ShapesTest, IndicesStayInRange) {
  TestGraph g;
  g.Return({g.Call("aten::embedding", {g.Placeholder("table"), g.Placeholder("i")})});
  const SearchResult result = Shrunk(g, {at::ones({100, 8}), at::arange(90, 96)}, [](const Program& program) {
    return program.inputs[1].toTensor().numel() >= 2;
  });
  EXPECT_EQ(SizesOf(result.program), (Shapes{{1, 1}, {2}}));
}

TEST(ShapesTest, ChannelsLastStaysChannelsLast) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  const auto is_channels_last = [](const Program& program) {
    return program.inputs[0].toTensor().is_contiguous(at::MemoryFormat::ChannelsLast) &&
           !program.inputs[0].toTensor().is_contiguous();
  };
  const SearchResult result =
      Shrunk(g, {at::ones({2, 6, 5, 5}).contiguous(at::MemoryFormat::ChannelsLast)}, is_channels_last);
  EXPECT_TRUE(is_channels_last(result.program));
  EXPECT_LE(result.program.inputs[0].toTensor().numel(), 8);
}

TEST(ShapesTest, SplitsNormsAndGroupsFollow) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId c = g.Call(
      "aten::convolution", {x, g.Placeholder("w"), nullptr, {1, 1}, {1, 1}, {1, 1}, false, {0, 0}, 12});
  const std::vector<graph::ValueId> norm =
      g.CallAll("aten::native_group_norm", {c, nullptr, nullptr, 2, 12, 25, 4, 1e-5});
  const graph::ValueId parts = g.Call("aten::split_with_sizes", {norm[0], {4, 8}, 1});
  g.Return({parts});
  const Program program{g.graph(), {at::ones({2, 12, 5, 5}), at::ones({12, 1, 3, 3})}};
  const SearchResult result =
      RunStrategy("shapes", program, [](const Program& p) { return p.inputs[0].toTensor().size(1) >= 4; });
  EXPECT_EQ(result.program.inputs[0].toTensor().sizes(), (std::vector<int64_t>{1, 4, 1, 1}));
  EXPECT_NE(
      CallsOf(result.program).find("native_group_norm.default(convolution, None, None, 1, 4, 9, 4, 1e-05)"),
      std::string::npos)
      << CallsOf(result.program);
  EXPECT_NE(CallsOf(result.program).find("[1, 3], 1)"), std::string::npos);
}

TEST(ShapesTest, InputsThatShareMemoryStay) {
  TestGraph g;
  g.Return({g.Call("aten::add.Tensor", {g.Placeholder("x"), g.Placeholder("y")})});
  const at::Tensor x = at::ones({4});
  EXPECT_EQ(ProposalsWithoutSuccess("shapes", {g.graph(), {x, x.view({4})}}), 0);
}

// Its kernel reads as many numbers as the others have, whatever the mean has.
TEST(ShapesTest, OperatorsThatTrustTheirArgumentsAreNotTried) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId m = g.Placeholder("m");
  const std::vector<graph::ValueId> results =
      g.CallAll("aten::native_batch_norm_backward",
                {x, x, nullptr, nullptr, nullptr, m, m, true, 1e-5, {true, false, false}});
  g.Return({results[0]});
  const SearchResult result = Shrunk(g, {at::ones({4, 8, 2}), at::ones({8})});
  EXPECT_EQ(result.questions, 0);
  EXPECT_EQ(SizesOf(result.program), (Shapes{{4, 8, 2}, {8}}));
}

TEST(ShapesTest, OneElementStays) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  EXPECT_EQ(ProposalsWithoutSuccess("shapes", {g.graph(), {at::ones({1, 1})}}), 0);
}

TEST(ShapesTest, WhatItProposesIsValid) {
  ExpectValidOnRandomGraphs("shapes");
}

}  // namespace
}  // namespace culprit::minify::strategies
