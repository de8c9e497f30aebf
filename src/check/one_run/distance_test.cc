// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/distance.h"

#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <limits>

namespace culprit::check {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(DistanceTest, EachIsTheLargestOverAllElements) {
  const auto distance = DistanceBetween(at::tensor({1.0F, 100.0F}), at::tensor({2.0, 104.0}));
  ASSERT_TRUE(distance);
  EXPECT_EQ(distance->max_abs, 4);
  EXPECT_EQ(distance->max_rel, 0.5);
}

TEST(DistanceTest, TheSameNanAndTheSameInfinityAgree) {
  const at::Tensor output = at::tensor({kNan, kInf, -kInf, 0.0F});
  const auto distance = DistanceBetween(output, output.to(at::kDouble));
  ASSERT_TRUE(distance);
  EXPECT_EQ(distance->max_abs, 0);
  EXPECT_EQ(distance->max_rel, 0);
}

TEST(DistanceTest, NanAndInfinityAreInfinitelyFarFromNumbers) {
  for (const float odd : {kNan, kInf, -kInf}) {
    for (const bool in_output : {true, false}) {
      const at::Tensor output = at::tensor({1.0F, in_output ? odd : 3.0F});
      const at::Tensor reference = at::tensor({1.0F, in_output ? 3.0F : odd});
      const auto distance = DistanceBetween(output, reference.to(at::kDouble));
      ASSERT_TRUE(distance);
      EXPECT_TRUE(std::isinf(distance->max_abs)) << odd;
      EXPECT_TRUE(std::isinf(distance->max_rel)) << odd;
    }
  }
}

TEST(DistanceTest, OtherSizesAreInfinitelyFarApart) {
  const auto distance = DistanceBetween(at::full({2}, 1.0), at::full({3}, 1.0));
  ASSERT_TRUE(distance);
  EXPECT_TRUE(std::isinf(distance->max_abs));
}

TEST(DistanceTest, ComplexNumbersAreComparedByTheirDistanceInThePlane) {
  const at::Tensor output = at::complex(at::tensor({3.0F}), at::tensor({4.0F}));
  const at::Tensor reference = at::complex(at::tensor({3.0}), at::tensor({0.0}));
  const auto distance = DistanceBetween(output, reference);
  ASSERT_TRUE(distance);
  EXPECT_EQ(distance->max_abs, 4);
}

TEST(DistanceTest, NumbersAreComparedToo) {
  const auto distance = DistanceBetween(2.5, 2.0);
  ASSERT_TRUE(distance);
  EXPECT_EQ(distance->max_abs, 0.5);
  EXPECT_EQ(distance->max_rel, 0.25);
}

TEST(DistanceTest, SparseAndQuantisedTensorsAreComparedByWhatTheyStandFor) {
  const auto sparse =
      DistanceBetween(at::tensor({0.0F, 1.0F}).to_sparse(), at::tensor({0.5, 1.0}).to_sparse());
  EXPECT_EQ(sparse.value().max_abs, 0.5);
  const at::Tensor quantised = at::quantize_per_tensor(at::tensor({2.0F}), 0.5, 0, at::kQInt8);
  EXPECT_EQ(DistanceBetween(quantised, at::tensor({2.5})).value().max_abs, 0.5);
}

TEST(DistanceTest, WhatHasNoNumbersHasNoDistance) {
  EXPECT_FALSE(DistanceBetween(c10::IValue(), c10::IValue()));
  EXPECT_FALSE(DistanceBetween(at::empty({0}), at::empty({0})));
  EXPECT_FALSE(DistanceBetween(at::Tensor(), at::Tensor()));
}

}  // namespace
}  // namespace culprit::check
