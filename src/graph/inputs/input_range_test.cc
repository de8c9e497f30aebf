// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/input_range.h"

#include <gtest/gtest.h>

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;

constexpr InputRange Below(int64_t bound, int64_t every = 0) {
  return {Kind::kBelow, bound, every};
}

TEST(Narrow, TheStricterKindWins) {
  std::optional<InputRange> range;
  EXPECT_FALSE(Narrow(range, std::nullopt));
  EXPECT_TRUE(Narrow(range, InputRange{Kind::kUnit}));
  EXPECT_TRUE(Narrow(range, InputRange{Kind::kPositive}));
  EXPECT_FALSE(Narrow(range, InputRange{Kind::kUnit}));
  EXPECT_TRUE(Narrow(range, Below(9)));
  EXPECT_FALSE(Narrow(range, Below(10)));
  EXPECT_TRUE(Narrow(range, Below(3)));
  EXPECT_EQ(range, Below(3));
}

// A place that is written to stays one, whoever else reads the index.
TEST(Narrow, PlacesStayApart) {
  std::optional<InputRange> range = Below(9);
  EXPECT_TRUE(Narrow(range, Below(12, 4)));
  EXPECT_EQ(range, Below(9, 4));
  EXPECT_TRUE(Narrow(range, Below(3)));
  EXPECT_EQ(range, Below(3, 4));
  EXPECT_FALSE(Narrow(range, Below(3, 1)));
}

}  // namespace
}  // namespace culprit::graph::inputs
