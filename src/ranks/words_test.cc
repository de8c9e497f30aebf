// SPDX-License-Identifier: Apache-2.0
#include "ranks/words.h"

#include <gtest/gtest.h>

namespace culprit::ranks {
namespace {

TEST(WordsTest, AllRanksAreNamed) {
  EXPECT_EQ(NameRanks({2}, 4), "rank 2 of 4");
  EXPECT_EQ(NameRanks({0, 3}, 4), "ranks 0 and 3 of 4");
  EXPECT_EQ(NameRanks({1, 2, 3}, 4), "ranks 1, 2 and 3 of 4");
}

TEST(WordsTest, LimitsAreSecondsWithoutNeedlessDigits) {
  EXPECT_EQ(NameLimit(std::chrono::seconds(30)), "30 s");
  EXPECT_EQ(NameLimit(std::chrono::milliseconds(500)), "0.5 s");
}

}  // namespace
}  // namespace culprit::ranks
