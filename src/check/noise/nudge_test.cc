// SPDX-License-Identifier: Apache-2.0
#include "check/noise/nudge.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

namespace culprit::check {
namespace {

TEST(NudgeTest, AnotherPatternMovesOtherNumbersUp) {
  const auto moved = [](uint64_t pattern) {
    at::Tensor tensor = at::full({1000}, 1.5F);
    NudgeStorage(tensor.storage(), at::kFloat, {.pattern = pattern});
    return tensor;
  };
  EXPECT_TRUE(moved(1).equal(moved(1)));
  const auto others = moved(1).ne(moved(2)).sum().item<int64_t>();
  EXPECT_GT(others, 300);
  EXPECT_LT(others, 700);
}

TEST(NudgeTest, IntegersCanBeLeftAlone) {
  const at::Tensor integers = at::arange(1, 100).to(at::kFloat);
  const at::Tensor kept = integers.clone();
  NudgeStorage(kept.storage(), at::kFloat, {.keep_integers = true});
  EXPECT_TRUE(kept.equal(integers));
  NudgeStorage(kept.storage(), at::kFloat);
  EXPECT_FALSE(kept.eq(integers).any().item<bool>());
}

// A float of 2^24 has no fraction that rounding could have taken.
TEST(NudgeTest, IntegersThatHadNoChoiceAreMoved) {
  for (const auto& [dtype, digits] :
       {std::pair{at::kHalf, 11}, {at::kBFloat16, 8}, {at::kFloat, 24}, {at::kDouble, 53}}) {
    const double limit = std::ldexp(1.0, digits);
    const at::Tensor numbers = at::tensor({limit - 1, limit}, at::kDouble).to(dtype);
    NudgeStorage(numbers.storage(), dtype, {.keep_integers = true});
    EXPECT_EQ(numbers[0].item<double>(), limit - 1) << dtype;
    EXPECT_NE(numbers[1].item<double>(), limit) << dtype;
  }
}

TEST(NudgeTest, TellsHowManyNumbersThereAre) {
  EXPECT_EQ(NudgeStorage(at::full({4}, -2.5).storage(), at::kFloat), 4u);
}

TEST(NudgeTest, OtherDtypesStay) {
  const at::Tensor integers = at::ones({4}, at::kLong);
  EXPECT_EQ(NudgeStorage(integers.storage(), at::kLong), 0u);
  EXPECT_TRUE(integers.equal(at::ones({4}, at::kLong)));
}

TEST(NudgeTest, APartOfATensorMovesAlone) {
  const at::Tensor whole = at::ones({4, 6});
  NudgeElements(whole.slice(1, 1, 3));
  EXPECT_FALSE(whole.slice(1, 1, 3).eq(1).any().item<bool>());
  EXPECT_TRUE(whole.slice(1, 0, 1).eq(1).all().item<bool>());
  EXPECT_TRUE(whole.slice(1, 3).eq(1).all().item<bool>());
  EXPECT_LE(whole.sub(1).abs().max().item<double>(), std::ldexp(1.0, -23));
}

TEST(NudgeTest, ElementsThatShareMemoryMoveOnce) {
  const at::Tensor row = at::ones({3});
  NudgeElements(row.expand({4, 3}));
  EXPECT_FALSE(row.eq(1).any().item<bool>());
  EXPECT_LE(row.sub(1).abs().max().item<double>(), std::ldexp(1.0, -23));
}

TEST(NudgeTest, PartsOfComplexTensorsMoveToo) {
  const at::Tensor whole = at::ones({6}, at::kComplexFloat);
  NudgeElements(whole.slice(0, 2, 4).conj());
  EXPECT_FALSE(whole.slice(0, 2, 4).eq(1).any().item<bool>());
  EXPECT_TRUE(whole.slice(0, 0, 2).eq(1).all().item<bool>());
}

}  // namespace
}  // namespace culprit::check
