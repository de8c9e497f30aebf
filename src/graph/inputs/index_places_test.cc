// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/index_places.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/inputs/find_ranges.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

at::Tensor Mask(c10::IntArrayRef sizes) {
  return at::ones(sizes, at::kBool);
}
at::Tensor Places(c10::IntArrayRef sizes) {
  return at::zeros(sizes, at::kLong);
}
constexpr InputRange Below(int64_t bound, int64_t every = 0) {
  return {Kind::kBelow, bound, every};
}

/// What x[indices] = y wants of the indices; undefined tensors are None.
InputRanges WantedByWrite(const at::Tensor& x, const std::vector<at::Tensor>& indices, const at::Tensor& y,
                          bool accumulate = false) {
  TestGraph g;
  const ValueId self = g.Placeholder("x"), values = g.Placeholder("y");
  Values inputs{x, y};
  Argument::List list;
  for (const at::Tensor& index : indices) {
    if (!index.defined()) {
      list.emplace_back(c10::IValue());
      continue;
    }
    list.emplace_back(g.Placeholder("index" + std::to_string(list.size())));
    inputs.emplace_back(index);
  }
  g.Return({g.Call("aten::index_put", {self, Argument(list), values, accumulate})});
  const FoundRanges found = FindRangesBySizes(g.graph(), inputs);
  return {found.inputs.begin() + 2, found.inputs.end()};
}

TEST(IndexPlaces, AMaskSelectsAsManyElementsAsAreWritten) {
  EXPECT_EQ(WantedByWrite(at::ones({6}), {Mask({6})}, at::ones({4}))[0], (InputRange{Kind::kTrues, 4}));
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Mask({6})}, at::ones({4, 3}))[0], (InputRange{Kind::kTrues, 4}));
  EXPECT_EQ(WantedByWrite(at::ones({2, 6, 3}), {{}, Mask({6, 3})}, at::ones({2, 5}))[0],
            (InputRange{Kind::kTrues, 5}));
}

TEST(IndexPlaces, OneRowGoesToHoweverManyElements) {
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Mask({6})}, at::ones({1, 3}))[0], std::nullopt);
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Mask({6})}, at::ones({3}))[0], std::nullopt);
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Mask({6})}, at::ones({}))[0], std::nullopt);
}

TEST(IndexPlaces, AMaskSelectsAsManyElementsAsTheIndexBesideIt) {
  const InputRanges wanted = WantedByWrite(at::ones({6, 3}), {Mask({6}), Places({4})}, at::ones({4}), true);
  EXPECT_EQ(wanted[0], (InputRange{Kind::kTrues, 4}));
  EXPECT_EQ(wanted[1], Below(3));
}

TEST(IndexPlaces, AMaskTakesAsManyDimensionsAsItHas) {
  EXPECT_EQ(WantedByWrite(at::ones({6, 3, 7}), {Mask({6, 3}), Places({4})}, at::ones({4}), true)[1],
            Below(7));
}

TEST(IndexPlaces, WhereTheLastWriteWinsPlacesDiffer) {
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Places({4})}, at::ones({4, 3}))[0], Below(6, 1));
  EXPECT_EQ(WantedByWrite(at::ones({6, 3}), {Places({4})}, at::ones({4, 3}), true)[0], Below(6));
}

TEST(IndexPlaces, IndicesWithoutRoomCountLikeDigits) {
  const InputRanges wanted = WantedByWrite(at::ones({6, 3, 2}), {Places({8}), Places({8})}, at::ones({8, 2}));
  EXPECT_EQ(wanted, (InputRanges{Below(6, 3), Below(3, 1)}));
}

TEST(IndexPlaces, IndicesThatBroadcastDifferEachForItself) {
  const InputRanges wanted =
      WantedByWrite(at::ones({6, 3}), {Places({5, 1}), Places({1, 2})}, at::ones({5, 2}));
  EXPECT_EQ(wanted, (InputRanges{Below(6, 1), Below(3, 1)}));
}

TEST(IndexPlaces, ScatterWritesToPlacesAlongItsDimension) {
  EXPECT_EQ(DistinctAlong(Places({4, 5, 2}), 1, 9), Below(9, 2));
  EXPECT_EQ(DistinctAlong(Places({4, 5, 2}), -1, 9), Below(9, 1));
  EXPECT_EQ(DistinctAlong(Places({}), 0, 9), Below(9, 1));
}

}  // namespace
}  // namespace culprit::graph::inputs
