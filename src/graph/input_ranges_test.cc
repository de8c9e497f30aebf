// SPDX-License-Identifier: Apache-2.0
#include "graph/input_ranges.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/draw_in_range.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

constexpr InputRange Below(int64_t bound) {
  return {InputRange::Kind::kBelow, bound};
}

TEST(FindInputRanges, AnIndexIsSmallerThanWhatItIndexes) {
  TestGraph g;
  const ValueId weight = g.Placeholder("weight"), indices = g.Placeholder("indices");
  g.Return({g.Call("aten::embedding", {weight, indices})});
  const auto ranges = FindInputRanges(g.graph(), {at::ones({10, 3}), at::zeros({4}, at::kLong)});
  EXPECT_EQ(ranges[0], std::nullopt);
  EXPECT_EQ(ranges[1], Below(10));
}

TEST(FindInputRanges, TheSmallestBoundHoldsAlsoThroughViewsAndCasts) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), y = g.Placeholder("y"), index = g.Placeholder("index");
  const ValueId moved =
      g.Call("aten::view", {g.Call("aten::_to_copy", {index}, {{"dtype", at::kLong}}), {2}});
  g.Return(
      {g.Call("aten::index_select", {x, 0, index}), g.Call("aten::index.Tensor", {y, {nullptr, moved}})});
  const auto ranges =
      FindInputRanges(g.graph(), {at::ones({5}), at::ones({9, 3}), at::zeros({2}, at::kLong)});
  EXPECT_EQ(ranges[2], Below(3));
}

TEST(FindInputRanges, LogarithmsAndVariancesArePositive) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::log", {x})});
  EXPECT_EQ(FindInputRanges(g.graph(), {at::ones({2})})[0]->kind, InputRange::Kind::kUnit);
}

TEST(FindInputRanges, WhatWasFoundBeforeAFailureIsKept) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::log", {x});
  g.Return({g.Call("aten::view", {y, {3, 3}})});
  EXPECT_TRUE(FindInputRanges(g.graph(), {at::ones({2})})[0].has_value());
}

TEST(FindInputRanges, RepeatsSumToTheOutput) {
  TestGraph g;
  const ValueId repeats = g.Placeholder("repeats");
  g.Return({g.Call("aten::repeat_interleave.Tensor", {repeats}, {{"output_size", 7}})});
  const auto ranges = FindInputRanges(g.graph(), {at::zeros({3}, at::kLong)});
  EXPECT_EQ(ranges[0], (InputRange{InputRange::Kind::kSumsTo, 7}));
  InputSpecs specs{.storages = {{.bytes = 24}},
                   .inputs = {TensorSpec{.sizes = {3}, .strides = {1}, .dtype = at::kLong}}};
  EXPECT_TRUE(DrawInRanges(specs, ranges, 1));
  const at::Tensor parts = MakeContents(specs.storages[0].contents, 24, nullptr)->view(at::kLong);
  EXPECT_EQ(parts[0].item<int64_t>(), 3);
  EXPECT_EQ(parts.sum().item<int64_t>(), 7);
}

TEST(DrawInRanges, IndicesCoverTheRange) {
  InputSpecs specs{.storages = {{.bytes = 8000}},
                   .inputs = {TensorSpec{.sizes = {1000}, .strides = {1}, .dtype = at::kLong}}};
  EXPECT_TRUE(DrawInRanges(specs, {Below(10)}, 1));
  const at::Tensor indices = MakeContents(specs.storages[0].contents, 8000, nullptr)->view(at::kLong);
  EXPECT_EQ(indices.min().item<int64_t>(), 0);
  EXPECT_EQ(indices.max().item<int64_t>(), 9);
}

TEST(DrawInRanges, KnownContentsStay) {
  InputSpecs specs{.storages = {{.bytes = 8, .contents = StoredBytes{"h"}}},
                   .inputs = {TensorSpec{.sizes = {1}, .strides = {1}, .dtype = at::kLong}}};
  EXPECT_FALSE(DrawInRanges(specs, {Below(10)}, 1));
}

}  // namespace
}  // namespace culprit::graph
