// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/all_within_bounds.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <limits>

namespace culprit::compiler::run {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

bool IsWithin(int64_t number, int64_t lowest, int64_t end) {
  return AllWithinBounds(at::full({1}, number, at::kLong), lowest, end);
}

TEST(AllWithinBoundsTest, BoundsAreTheFirstThatIsAndTheFirstThatIsNot) {
  EXPECT_TRUE(IsWithin(0, 0, 5));
  EXPECT_TRUE(IsWithin(4, 0, 5));
  EXPECT_FALSE(IsWithin(5, 0, 5));
  EXPECT_FALSE(IsWithin(-1, 0, 5));
  EXPECT_TRUE(IsWithin(-5, -5, 5));
  EXPECT_FALSE(IsWithin(-6, -5, 5));
}

TEST(AllWithinBoundsTest, NoDifferenceOfExtremesPassesForSmall) {
  for (const int64_t bound : {int64_t{1}, int64_t{5}, int64_t{1} << 40}) {
    for (const int64_t number : {kLargest, kLargest - 3, kSmallest, kSmallest + 3}) {
      EXPECT_FALSE(IsWithin(number, 0, bound)) << number << " " << bound;
      EXPECT_FALSE(IsWithin(number, -bound, bound)) << number << " " << bound;
    }
  }
}

TEST(AllWithinBoundsTest, NoNumbersAreWithinAnything) {
  EXPECT_TRUE(AllWithinBounds(at::empty({3, 0}, at::kLong), 0, 0));
  EXPECT_FALSE(AllWithinBounds(at::zeros({}, at::kLong), 0, 0));
}

TEST(AllWithinBoundsTest, EveryNumberCounts) {
  for (const at::ScalarType dtype : {at::kLong, at::kInt}) {
    for (const int64_t count : {1, 7, 200'000}) {
      at::Tensor numbers = at::zeros({count}, dtype);
      EXPECT_TRUE(AllWithinBounds(numbers, 0, 3));
      for (const int64_t wrong : {int64_t{0}, count / 2, count - 1}) {
        numbers[wrong] = 3;
        EXPECT_FALSE(AllWithinBounds(numbers, 0, 3)) << count << " " << wrong;
        numbers[wrong] = 2;
      }
    }
  }
}

TEST(AllWithinBoundsTest, WhatAViewDoesNotShowDoesNotCount) {
  const at::Tensor numbers = at::arange(24, at::kLong).reshape({4, 6});
  EXPECT_TRUE(AllWithinBounds(numbers.slice(1, 0, 3), 0, 21));
  EXPECT_FALSE(AllWithinBounds(numbers.slice(1, 0, 3), 0, 20));
  EXPECT_TRUE(AllWithinBounds(numbers.slice(1, 1, 6, 2).t(), 1, 24));
  EXPECT_FALSE(AllWithinBounds(numbers.slice(1, 1, 6, 2).t(), 2, 24));
  EXPECT_TRUE(AllWithinBounds(numbers.t(), 0, 24));
  EXPECT_FALSE(AllWithinBounds(numbers.t(), 0, 23));
}

TEST(AllWithinBoundsTest, RepeatedNumbersAreLookedAt) {
  const at::Tensor numbers = at::arange(3, at::kLong).unsqueeze(1);
  EXPECT_TRUE(AllWithinBounds(numbers.expand({3, 1'000'000'000}), 0, 3));
  EXPECT_FALSE(AllWithinBounds(numbers.expand({3, 1'000'000'000}), 0, 2));
  EXPECT_FALSE(AllWithinBounds(at::full({}, 9, at::kLong).expand({2, 4}), 0, 9));
}

}  // namespace
}  // namespace culprit::compiler::run
