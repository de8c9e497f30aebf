// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/input_spec.h"

#include <gtest/gtest.h>

#include <limits>

namespace culprit::graph {
namespace {

constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

using Ints = std::vector<int64_t>;

std::optional<int64_t> Reach(Ints sizes, Ints strides, int64_t offset = 0, at::ScalarType dtype = at::kByte) {
  return ReachOf(
      {.sizes = std::move(sizes), .strides = std::move(strides), .offset = offset, .dtype = dtype});
}

TEST(ReachOfTest, CountsTheBytesUpToTheLastElement) {
  EXPECT_EQ(Reach({2, 3}, {3, 1}), 6);
  EXPECT_EQ(Reach({2, 3}, {3, 1}, 4, at::kFloat), 40);
  EXPECT_EQ(Reach({}, {}, 0, at::kDouble), 8);
}

TEST(ReachOfTest, GapsCountAndRepetitionsDoNot) {
  EXPECT_EQ(Reach({2, 3}, {100, 2}), 105);
  EXPECT_EQ(Reach({1000, 3}, {0, 1}), 3);
}

TEST(ReachOfTest, ATensorWithoutElementsReachesNothing) {
  EXPECT_EQ(Reach({5, 0}, {1, 1}, 1000), 0);
  EXPECT_EQ(Reach({kHighest, 0}, {kHighest, 1}), 0);
}

TEST(ReachOfTest, IsNothingOnOverflow) {
  EXPECT_EQ(Reach({3}, {kHighest}), std::nullopt);
  EXPECT_EQ(Reach({2, 2}, {kHighest, kHighest}), std::nullopt);
  EXPECT_EQ(Reach({1}, {1}, kHighest), std::nullopt);
  EXPECT_EQ(Reach({kHighest / 2}, {1}, 0, at::kDouble), std::nullopt);
  EXPECT_EQ(Reach({2}, {kHighest - 1}), kHighest);
}

TEST(ContiguousStridesTest, AreThoseOfALayoutInOrder) {
  EXPECT_EQ(ContiguousStrides({}), Ints{});
  EXPECT_EQ(ContiguousStrides({2, 3, 4}), (Ints{12, 4, 1}));
}

TEST(ContiguousStridesTest, AnEmptyDimensionCountsAsOneAsInLibtorch) {
  EXPECT_EQ(ContiguousStrides({2, 0, 4}), (Ints{4, 4, 1}));
}

TEST(ContiguousStridesTest, HugeSizesAreLeftForReachOfToRefuse) {
  const Ints sizes = {4, kHighest, kHighest};
  EXPECT_EQ(Reach(sizes, ContiguousStrides(sizes)), std::nullopt);
}

}  // namespace
}  // namespace culprit::graph
