// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/recognise_seeded.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

namespace culprit::graph {
namespace {

std::span<const std::byte> BytesOf(const at::Tensor& flat) {
  return {static_cast<const std::byte*>(flat.data_ptr()), flat.nbytes()};
}

TEST(RecogniseSeededTest, WhatWasDrawnIsRecognised) {
  for (const at::ScalarType dtype :
       {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kLong, at::kByte}) {
    for (const int64_t count : {1, 7, 15, 16, 17, 31, 33, 48, 1000, 4099}) {
      const SeededNumbers integers = SmallIntegers(dtype, count, 5);
      const std::optional<SeededNumbers> found = RecogniseSeeded(BytesOf(Draw(integers)), dtype);
      ASSERT_TRUE(found.has_value()) << dtype << " " << count;
      EXPECT_TRUE(Draw(*found).equal(Draw(integers)));
      const std::optional<SeededNumbers> normal = NormalNumbers(dtype, count, 8);
      if (normal && count > 1) EXPECT_EQ(RecogniseSeeded(BytesOf(Draw(*normal)), dtype), normal) << count;
    }
  }
}

TEST(RecogniseSeededTest, OtherNumbersAreNot) {
  at::Tensor numbers = Draw(*NormalNumbers(at::kFloat, 100, 3));
  numbers[99] += 1;
  EXPECT_FALSE(RecogniseSeeded(BytesOf(numbers), at::kFloat));
  EXPECT_FALSE(RecogniseSeeded(BytesOf(Draw(*NormalNumbers(at::kFloat, 100, 1000))), at::kFloat));
}

TEST(RecogniseConstantTest, ManyZerosOrOnesBitForBit) {
  EXPECT_EQ(RecogniseConstant(at::full({100}, 0.0)), 0);
  EXPECT_EQ(RecogniseConstant(at::full({100}, 1, at::kLong)), 1);
  EXPECT_FALSE(RecogniseConstant(at::full({100}, -0.0)));
  EXPECT_FALSE(RecogniseConstant(at::full({100}, 2.0)));
  EXPECT_FALSE(RecogniseConstant(at::full({3}, 0.0)));
}

}  // namespace
}  // namespace culprit::graph
