// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/ulp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace culprit::compare {
namespace {

TEST(UlpDistanceTest, NeighboursAreOneApartInEveryDtype) {
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-10, c10::ScalarType::Half), 1);
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-7, c10::ScalarType::BFloat16), 1);
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-23, c10::ScalarType::Float), 1);
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-52, c10::ScalarType::Double), 1);
  EXPECT_EQ(UlpDistance(1, 1.25, c10::ScalarType::Float8_e5m2), 1);
  EXPECT_EQ(UlpDistance(1, 1.125, c10::ScalarType::Float8_e4m3fn), 1);
  EXPECT_EQ(UlpDistance(1, 1.25, c10::ScalarType::Float8_e5m2fnuz), 1);
  EXPECT_EQ(UlpDistance(-1, -1.125, c10::ScalarType::Float8_e4m3fnuz), 1);
  EXPECT_EQ(UlpDistance(1, 2, c10::ScalarType::Float8_e8m0fnu), 1);
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-23, c10::ScalarType::ComplexFloat), 1);
  EXPECT_EQ(UlpDistance(1, 1 + 0x1p-10, c10::ScalarType::ComplexHalf), 1);
}

TEST(UlpDistanceTest, BelowAPowerOfTwoStepsAreHalfAsLarge) {
  EXPECT_EQ(UlpDistance(1, 1 - 0x1p-23, c10::ScalarType::Float), 2);
}

TEST(UlpDistanceTest, ZerosAreOneNumberBetweenTheSmallestOnes) {
  const double smallest = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(UlpDistance(0.0, -0.0, c10::ScalarType::Float), 0);
  EXPECT_EQ(UlpDistance(-smallest, smallest, c10::ScalarType::Float), 2);
}

TEST(UlpDistanceTest, InfinityIsOneStepBeyondTheLargestNumber) {
  EXPECT_EQ(UlpDistance(INFINITY, std::numeric_limits<float>::max(), c10::ScalarType::Float), 1);
}

TEST(UlpDistanceTest, OppositeEndsDoNotOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(UlpDistance(-largest, largest, c10::ScalarType::Double), 2 * uint64_t{0x7fefffffffffffff});
}

TEST(UlpDistanceTest, IsTheDifferenceOfIntegers) {
  EXPECT_EQ(UlpDistance(-3, 4, c10::ScalarType::Int), 7);
  EXPECT_EQ(UlpDistance(0, 1, c10::ScalarType::Bool), 1);
  EXPECT_EQ(UlpDistance(-0x1p63, 0x1p63, c10::ScalarType::Long), UINT64_MAX);
}

}  // namespace
}  // namespace culprit::compare
