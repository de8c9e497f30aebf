// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/line_difference.h"

#include <gtest/gtest.h>

namespace culprit::hunt {
namespace {

TEST(LineDifferenceTest, EqualTextsDoNotDiffer) {
  const LineDifference difference = Difference({"a", "b"}, {"a", "b"});
  EXPECT_EQ(difference.changed, 0);
  EXPECT_EQ(difference.text, "");
}

TEST(LineDifferenceTest, ChangedLinesAreShownWithTheirNeighbours) {
  const LineDifference difference = Difference({"0", "a", "b", "c", "1"}, {"0", "a", "x", "c", "1"});
  EXPECT_EQ(difference.changed, 2);
  EXPECT_EQ(difference.text, " a\n-b\n+x\n c\n");
}

TEST(LineDifferenceTest, WhatIsFarFromChangesIsLeftOut) {
  const LineDifference difference =
      Difference({"a", "1", "2", "3", "4", "b"}, {"x", "1", "2", "3", "4", "y"});
  EXPECT_EQ(difference.text, "-a\n+x\n 1\n...\n 4\n-b\n+y\n");
}

TEST(LineDifferenceTest, EmptyLinesAroundAChangeSayNothing) {
  EXPECT_EQ(Difference({"a", "", "b"}, {"a", "", "c"}).text, "-b\n+c\n");
}

}  // namespace
}  // namespace culprit::hunt
