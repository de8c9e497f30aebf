// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/overlap.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <set>

namespace culprit::autograd {
namespace {

class OverlapTest : public testing::Test {
 protected:
  const at::Tensor x_ = at::zeros({4, 6});
};

TEST_F(OverlapTest, ATensorThatRepeatsElementsOverlapsItself) {
  EXPECT_TRUE(MayOverlapItself(x_[0].expand({3, 6})));
  EXPECT_TRUE(MayOverlapItself(x_.as_strided({3, 2}, {1, 1})));
}

TEST_F(OverlapTest, ViewsDoNotOverlapThemselves) {
  EXPECT_FALSE(MayOverlapItself(x_));
  EXPECT_FALSE(MayOverlapItself(x_.t()));
  EXPECT_FALSE(MayOverlapItself(x_.slice(1, 0, 6, 2)));
  EXPECT_FALSE(MayOverlapItself(x_[0][0].expand({1, 1})));
  EXPECT_FALSE(MayOverlapItself(x_.slice(0, 0, 0).expand({5, 0, 6})));
}

TEST_F(OverlapTest, ATensorDoesNotOverlapWithItselfOrWithOtherMemory) {
  EXPECT_FALSE(MayOverlap(x_, x_.view({4, 6})));
  EXPECT_FALSE(MayOverlap(x_, x_.clone()));
  EXPECT_FALSE(MayOverlap(x_, x_.slice(0, 0, 0)));
}

TEST_F(OverlapTest, PartsBehindOrBetweenEachOtherDoNotOverlap) {
  EXPECT_FALSE(MayOverlap(x_[0], x_[1]));
  EXPECT_FALSE(MayOverlap(x_[1], x_[0]));
  EXPECT_FALSE(MayOverlap(x_.select(1, 0), x_.select(1, 1)));
  EXPECT_FALSE(MayOverlap(x_.slice(1, 0, 2), x_.slice(1, 2, 3)));
}

TEST_F(OverlapTest, PartsWithCommonElementsOverlap) {
  EXPECT_TRUE(MayOverlap(x_.slice(0, 1), x_.slice(0, 0, 3)));
  EXPECT_TRUE(MayOverlap(x_.slice(1, 0, 4, 2), x_.slice(1, 2, 6, 2)));
  EXPECT_TRUE(MayOverlap(x_, x_[0][0]));
  EXPECT_TRUE(MayOverlap(x_.slice(0, 0, 2), x_.slice(0, 0, 1)));
  const at::Tensor square = at::zeros({3, 3});
  EXPECT_TRUE(MayOverlap(square, square.t()));
}

/// Which elements of a tensor of 60 the part has, in order.
std::vector<int64_t> PlacesOf(const at::Tensor& part) {
  const at::Tensor places = at::arange(60).as_strided(part.sizes(), part.strides(), part.storage_offset());
  const at::Tensor row = places.contiguous().view(-1);
  return {row.data_ptr<int64_t>(), row.data_ptr<int64_t>() + row.numel()};
}

TEST(OverlapSweep, WhatDoesOverlapIsNeverMissed) {
  const at::Tensor memory = at::zeros({60});
  std::vector<at::Tensor> parts;
  for (int64_t rows : {1, 2, 3})
    for (int64_t columns : {1, 2, 3})
      for (int64_t row_stride : {0, 1, 2, 3, 6})
        for (int64_t column_stride : {0, 1, 2, 4})
          for (int64_t offset : {0, 1, 2, 5})
            parts.push_back(memory.as_strided({rows, columns}, {row_stride, column_stride}, offset));
  std::vector<std::vector<int64_t>> places_of;
  for (const at::Tensor& part : parts) {
    const std::vector<int64_t>& places = places_of.emplace_back(PlacesOf(part));
    const bool overlaps = std::set<int64_t>(places.begin(), places.end()).size() < places.size();
    EXPECT_TRUE(!overlaps || MayOverlapItself(part));
  }
  size_t overlapping = 0;
  size_t said = 0;
  for (size_t i = 0; i < parts.size(); i += 3) {
    for (size_t j = 0; j < parts.size(); j += 5) {
      const std::vector<int64_t>& a = places_of[i];
      const std::vector<int64_t>& b = places_of[j];
      if (MayOverlapItself(parts[i]) || a == b) continue;
      const bool overlaps =
          std::ranges::any_of(a, [&](int64_t place) { return std::ranges::find(b, place) != b.end(); });
      const bool answer = MayOverlap(parts[i], parts[j]);
      EXPECT_TRUE(!overlaps || answer);
      overlapping += overlaps;
      said += answer;
    }
  }
  EXPECT_GT(overlapping, 1'000U);
  EXPECT_LT(said, overlapping * 2);
}

}  // namespace
}  // namespace culprit::autograd
