// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::graph::sizes {
namespace {

using testing::ElementsAre;

TEST(LayoutTest, StridesOfATensorWithoutGapsFollowFromItsSizes) {
  const Layout layout = Layout::Of({4, 3, 5}, {15, 5, 1});
  EXPECT_TRUE(layout.follows_sizes());
  EXPECT_THAT(layout.StridesFor({2, 7, 9}), ElementsAre(63, 9, 1));
  EXPECT_EQ(layout.ToString(), "without gaps, dimensions in the order [0, 1, 2]");
}

TEST(LayoutTest, InAnyOrder) {
  const Layout channels_last = Layout::Of({2, 3, 4, 5}, {60, 1, 15, 3});
  EXPECT_THAT(channels_last.StridesFor({2, 3, 6, 7}), ElementsAre(126, 1, 21, 3));
  EXPECT_TRUE(channels_last.Fits({1, 2, 8, 8}, {128, 1, 16, 2}));
  EXPECT_FALSE(channels_last.Fits({1, 2, 8, 8}, {128, 64, 8, 1}));
}

TEST(LayoutTest, DimensionsThatRepeatMemoryDoSoForAllSizes) {
  const Layout layout = Layout::Of({4, 3}, {0, 1});
  EXPECT_THAT(layout.StridesFor({9, 5}), ElementsAre(0, 1));
  EXPECT_FALSE(layout.Fits({9, 5}, {5, 1}));
}

TEST(LayoutTest, GapsAreStrides) {
  const Layout layout = Layout::Of({4, 3}, {8, 1});
  EXPECT_FALSE(layout.follows_sizes());
  EXPECT_THAT(layout.StridesFor({9, 5}), ElementsAre(8, 1));
  EXPECT_EQ(layout.ToString(), "with strides [8, 1]");
}

TEST(LayoutTest, ADimensionWithOneElementStandsWhereItsStrideSays) {
  EXPECT_EQ(Layout::Of({4, 1}, {1, 1}), Layout::Of({4, 3}, {3, 1}));
  EXPECT_EQ(Layout::Of({1, 4}, {1, 1}), Layout::Of({3, 4}, {1, 3}));
}

TEST(LayoutTest, TensorsWithoutElementsHaveOne) {
  EXPECT_TRUE(Layout::Of({3, 0}, {1, 1}).follows_sizes());
}

}  // namespace
}  // namespace culprit::graph::sizes
