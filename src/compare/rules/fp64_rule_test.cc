// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/fp64_rule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace culprit::compare {
namespace {

/// A summary of one element with these errors.
Summary Errors(double reference, double result) {
  Summary summary;
  summary.elements = 1;
  summary.squares_reference = reference * reference;
  summary.squares_result = result * result;
  return summary;
}

TEST(Fp64RuleTest, TheBorderBelongsToWhatPasses) {
  EXPECT_TRUE(PassesFp64Rule(Errors(1, 2), 2, {}, 0));
  EXPECT_FALSE(PassesFp64Rule(Errors(1, std::nextafter(2.0, 3.0)), 2, {}, 0));
  EXPECT_TRUE(PassesFp64Rule(Errors(0, 0.5), 2, {}, 5));
}

TEST(SmallestFp64ToleranceTest, IsZeroForWhatPassesAnyway) {
  const int64_t sizes[] = {5000};
  EXPECT_EQ(SmallestFp64Tolerance(Errors(1, 1.5), {sizes}, {}), 0);
}

TEST(SmallestFp64ToleranceTest, PassesAndALittleLessDoesNot) {
  const int64_t sizes[] = {5000};
  for (const double error : {0.0001, 0.0123, 0.3, 1.0, 123.4}) {
    const Summary summary = Errors(0.01, 0.02 + error);
    const MultiplierCase output{sizes};
    const double smallest = SmallestFp64Tolerance(summary, output, {});
    const auto passes = [&](double tolerance) {
      return PassesFp64Rule(summary, Multiplier(output, {}, tolerance), {}, tolerance);
    };
    EXPECT_TRUE(passes(smallest)) << error;
    EXPECT_FALSE(passes(smallest * (1 - 1e-9))) << error;
  }
}

// With a tolerance of 0.02 the multiplier rises from 2 to 3, which is enough: 2.5 <= 3 * 1.
TEST(SmallestFp64ToleranceTest, KnowsTheStepsOfTheMultiplier) {
  const int64_t sizes[] = {5000};
  EXPECT_EQ(SmallestFp64Tolerance(Errors(1, 2.5), {sizes}, {}), 0.02);
  const int64_t few[] = {100};
  const Options options{.larger_multiplier_for_small = true, .revision = Revision::kA};
  EXPECT_EQ(SmallestFp64Tolerance(Errors(1, 4.5), {few}, options), 0.04);
}

TEST(SmallestFp64ToleranceTest, IsInfiniteForNan) {
  const int64_t sizes[] = {5000};
  Summary summary = Errors(1, 1);
  summary.result.nan = 1;
  EXPECT_TRUE(std::isinf(SmallestFp64Tolerance(summary, {sizes}, {})));
}

TEST(SmallestFp64ToleranceTest, IsInfiniteForAnInfiniteError) {
  const int64_t sizes[] = {5000};
  EXPECT_TRUE(std::isinf(SmallestFp64Tolerance(Errors(1, INFINITY), {sizes}, {})));
}

}  // namespace
}  // namespace culprit::compare
