// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/locate/bisection.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace culprit::minify::strategies {
namespace {

/// The number of rounds until the border is found.
size_t Rounds(Bisection& bisection, const auto& fails) {
  size_t rounds = 0;
  for (std::optional<size_t> place = bisection.Next(); place; place = bisection.Next()) {
    ++rounds;
    bisection.Learn(*place, fails(*place));
  }
  return rounds;
}

TEST(BisectionTest, FindsEveryBorder) {
  for (size_t border = 1; border <= 100; ++border) {
    Bisection bisection(std::vector<double>(100, 1.0));
    EXPECT_LE(Rounds(bisection, [&](size_t place) { return place >= border; }), 7);
    EXPECT_EQ(bisection.failing(), border);
  }
}

TEST(BisectionTest, UnevenCostsTakeNoMoreThanTwiceTheRounds) {
  for (size_t border = 1; border <= 100; ++border) {
    std::vector<double> costs(100, 1e-9);
    costs[99] = 1;
    Bisection bisection(costs);
    EXPECT_LE(Rounds(bisection, [&](size_t place) { return place >= border; }), 2 * std::bit_width(100U));
    EXPECT_EQ(bisection.failing(), border);
  }
}

TEST(BisectionTest, ChanceAnswersEndWithSomethingThatWasSeenToFail) {
  std::mt19937 coin(1);
  for (int i = 0; i < 100; ++i) {
    Bisection bisection(std::vector<double>(64, 1.0));
    std::vector<bool> failed(65, false);
    failed[64] = true;
    Rounds(bisection, [&](size_t place) { return failed[place] = coin() % 2 == 0; });
    EXPECT_TRUE(failed[bisection.failing()]);
  }
}

TEST(BisectionTest, OneOrNoStepLeavesNothingToAsk) {
  EXPECT_FALSE(Bisection({1.0}).Next());
  EXPECT_FALSE(Bisection({}).Next());
}

}  // namespace
}  // namespace culprit::minify::strategies
