// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/find_ranges.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

constexpr InputRange Below(int64_t bound) {
  return {Kind::kBelow, bound};
}

// What operators want of their operands, one range each.
InputRanges WantedBy(const std::string& op, const at::Tensor& x) {
  TestGraph g;
  g.Return({g.Call(op, {g.Placeholder("x")})});
  return FindRanges(g.graph(), {x}).inputs;
}
InputRanges WantedBy(const std::string& op, const at::Tensor& x, const at::Tensor& y) {
  TestGraph g;
  const ValueId a = g.Placeholder("x"), b = g.Placeholder("y");
  g.Return({g.Call(op, {a, b})});
  return FindRanges(g.graph(), {x, y}).inputs;
}
template <typename Number>
std::optional<InputRange> WantedByPower(Number exponent) {
  TestGraph g;
  g.Return({g.Call("aten::pow.Tensor_Scalar", {g.Placeholder("x"), exponent})});
  return FindRanges(g.graph(), {at::ones({2})}).inputs[0];
}

TEST(FindRanges, AnIndexIsSmallerThanWhatItIndexes) {
  TestGraph g;
  const ValueId weight = g.Placeholder("weight"), indices = g.Placeholder("indices");
  g.Return({g.Call("aten::embedding", {weight, indices})});
  const FoundRanges ranges = FindRanges(g.graph(), {at::ones({10, 3}), at::zeros({4}, at::kLong)});
  EXPECT_EQ(ranges.inputs[0], std::nullopt);
  EXPECT_EQ(ranges.inputs[1], Below(10));
  EXPECT_TRUE(ranges.complete);
}

TEST(FindRanges, TheSmallestBoundHoldsAlsoThroughViewsAndCasts) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), y = g.Placeholder("y"), index = g.Placeholder("index");
  const ValueId moved =
      g.Call("aten::view", {g.Call("aten::_to_copy", {index}, {{"dtype", at::kLong}}), {2}});
  g.Return(
      {g.Call("aten::index_select", {x, 0, index}), g.Call("aten::index.Tensor", {y, {nullptr, moved}})});
  const FoundRanges ranges =
      FindRanges(g.graph(), {at::ones({5}), at::ones({9, 3}), at::zeros({2}, at::kLong)});
  EXPECT_EQ(ranges.inputs[2], Below(3));
}

TEST(FindRanges, LogarithmsArePositiveInPlaceToo) {
  for (const char* op : {"aten::log", "aten::log_", "aten::rsqrt_", "aten::log10_"})
    EXPECT_EQ(WantedBy(op, at::ones({2}))[0]->kind, Kind::kPositive) << op;
  for (const char* op : {"aten::sqrt_", "aten::acos", "aten::asin_"})
    EXPECT_EQ(WantedBy(op, at::ones({2}))[0]->kind, Kind::kUnit) << op;
}

TEST(FindRanges, OnlyFractionalPowersWantPositiveNumbers) {
  EXPECT_EQ(WantedByPower(0.5)->kind, Kind::kPositive);
  EXPECT_EQ(WantedByPower(2), std::nullopt);
  EXPECT_EQ(WantedByPower(3.0), std::nullopt);
  EXPECT_EQ(WantedBy("aten::pow.Tensor_Tensor", at::ones({2}), at::ones({2}))[0]->kind, Kind::kPositive);
}

TEST(FindRanges, OnlyIntegersMustNotBeDividedByZero) {
  const at::Tensor integers = at::ones({2}, at::kLong);
  for (const char* op :
       {"aten::floor_divide", "aten::remainder.Tensor", "aten::fmod.Tensor", "aten::remainder_.Tensor"}) {
    EXPECT_EQ(WantedBy(op, integers, integers)[1]->kind, Kind::kPositive) << op;
    EXPECT_EQ(WantedBy(op, at::ones({2}), at::ones({2}))[1], std::nullopt) << op;
  }
}

TEST(FindRanges, ConstantsHaveRangesToo) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId index = g.Constant("index", at::tensor({3, 1}, at::kLong));
  g.Return({g.Call("aten::index_select", {x, 0, index})});
  const FoundRanges ranges = FindRanges(g.graph(), {at::ones({5})});
  EXPECT_EQ(ranges.inputs, InputRanges{std::nullopt});
  EXPECT_EQ(ranges.constants, InputRanges{Below(5)});
}

TEST(FindRanges, WhatWasFoundBeforeAFailureIsKept) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Call("aten::log", {x});
  g.Return({g.Call("aten::view", {y, {3, 3}})});
  const FoundRanges ranges = FindRanges(g.graph(), {at::ones({2})});
  EXPECT_TRUE(ranges.inputs[0].has_value());
  EXPECT_FALSE(ranges.complete);
}

TEST(FindRanges, TheGeneratorStaysAsItWas) {
  TestGraph g;
  g.Return({g.Call("aten::rand", {{3}})});
  const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  EXPECT_TRUE(FindRanges(g.graph(), {}).complete);
  EXPECT_TRUE(at::detail::getDefaultCPUGenerator().get_state().equal(before));
}

// Which elements are not zero says no size.
TEST(FindRanges, WhatSizesDoNotTellARunDoes) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), mask = g.Placeholder("mask"), index = g.Placeholder("index");
  const ValueId selected = g.Call("aten::index.Tensor", {x, {mask}});
  g.Return({g.Call("aten::index_select", {selected, 0, index})});
  const Values inputs{at::ones({9}), at::ones({9}, at::kBool), at::zeros({2}, at::kLong)};
  const FoundRanges by_sizes = FindRangesBySizes(g.graph(), inputs);
  EXPECT_FALSE(by_sizes.complete);
  EXPECT_EQ(by_sizes.inputs[2], std::nullopt);
  const FoundRanges found = FindRanges(g.graph(), inputs);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.inputs[2], Below(9));
  EXPECT_FALSE(FindRangesByRunning(g.graph(), inputs, /*most_bytes=*/50).complete);
}

TEST(FindRanges, SparseInputsAreRun) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), y = g.Placeholder("y");
  g.Return({g.Call("aten::_to_dense", {x}), g.Call("aten::log", {y})});
  const FoundRanges found = FindRanges(g.graph(), {at::ones({3}).to_sparse(), at::ones({3})});
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.inputs[1]->kind, Kind::kPositive);
}

TEST(FindRanges, RepeatsSumToTheOutput) {
  TestGraph g;
  const ValueId repeats = g.Placeholder("repeats");
  g.Return({g.Call("aten::repeat_interleave.Tensor", {repeats}, {{"output_size", 7}})});
  EXPECT_EQ(FindRanges(g.graph(), {at::zeros({3}, at::kLong)}).inputs[0], (InputRange{Kind::kSumsTo, 7}));
}

TEST(FindRanges, WithoutASizeRepeatsSumToWhatTheyDid) {
  TestGraph g;
  const ValueId repeats = g.Placeholder("repeats");
  g.Return({g.Call("aten::repeat_interleave.Tensor", {repeats})});
  EXPECT_EQ(FindRanges(g.graph(), {at::tensor({4, 1}, at::kLong)}).inputs[0], (InputRange{Kind::kSumsTo, 5}));
  EXPECT_EQ(FindRanges(g.graph(), {at::zeros({3}, at::kLong)}).inputs[0], (InputRange{Kind::kSumsTo, 3}));
}

}  // namespace
}  // namespace culprit::graph::inputs
