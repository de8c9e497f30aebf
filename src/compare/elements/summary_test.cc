// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/summary.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compare/elements/block_sums.h"

namespace culprit::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Summary Of(const at::Tensor& reference, const at::Tensor& result,
           const std::optional<at::Tensor>& fp64 = std::nullopt, const Closeness& closeness = {1e-4}) {
  return Summarize(ElementOperands(reference, result, fp64), closeness);
}

TEST(SummarizeTest, HasTheRmseOfEveryPair) {
  const Summary summary = Of(at::tensor({1.0F, 2.0F}), at::tensor({2.0F, 4.0F}), at::tensor({1.5, 6.0}));
  EXPECT_DOUBLE_EQ(summary.rmse_reference(), std::sqrt((0.25 + 16) / 2));
  EXPECT_DOUBLE_EQ(summary.rmse_result(), std::sqrt((0.25 + 4) / 2));
  EXPECT_DOUBLE_EQ(summary.rmse_between(), std::sqrt((1.0 + 4) / 2));
  EXPECT_EQ(summary.max_abs, 2);
  EXPECT_EQ(summary.mismatching, 2);
}

// Lengths around the number of lanes and of a block.
TEST(SummarizeTest, CountsEveryElementOfAnyLength) {
  for (const int64_t length : {0, 1, 3, 4, 5, 31, 1023, 1024, 1025, 70'000, 140'001}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kHalf, at::kInt}) {
      const at::Tensor zeros = at::zeros({length}, dtype);
      const Summary summary = Of(zeros, zeros + 1, at::full({length}, 3, at::kDouble));
      EXPECT_EQ(summary.elements, length);
      EXPECT_EQ(summary.mismatching, length);
      EXPECT_EQ(summary.squares_reference, 9.0 * static_cast<double>(length));
      EXPECT_EQ(summary.squares_result, 4.0 * static_cast<double>(length));
      EXPECT_EQ(summary.squares_between, 1.0 * static_cast<double>(length));
    }
  }
}

TEST(SummarizeTest, AgreesWithAtenOnRandomNumbers) {
  const at::Tensor fp64 = at::randn({300, 301}, at::kDouble);
  const at::Tensor reference = fp64.to(at::kFloat);
  const at::Tensor result = reference.mul(1 + 2e-4).t().contiguous().t();
  const Summary summary = Of(reference, result, fp64, {1e-4});
  const at::Tensor error = reference.to(at::kDouble) - result.to(at::kDouble);
  const at::Tensor limit = result.to(at::kDouble).abs() * 1e-4 + 1e-4;
  EXPECT_EQ(summary.mismatching, error.abs().gt(limit).sum().item<int64_t>());
  EXPECT_GT(summary.mismatching, 0);
  EXPECT_LT(summary.mismatching, fp64.numel());
  EXPECT_EQ(summary.max_abs, error.abs().max().item<double>());
  EXPECT_NEAR(summary.rmse_between(), error.square().mean().sqrt().item<double>(), 1e-15);
  EXPECT_NEAR(summary.rmse_result(), (fp64 - result).square().mean().sqrt().item<double>(), 1e-15);
}

TEST(SummarizeTest, DoesNotDependOnTheNumberOfThreads) {
  const at::Tensor reference = at::randn({1'000'000});
  const at::Tensor result = reference + at::randn({1'000'000});
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const double serial = Of(reference, result).squares_between;
  at::set_num_threads(2);
  const double parallel = Of(reference, result).squares_between;
  at::set_num_threads(before);
  EXPECT_EQ(serial, parallel);
}

TEST(SummarizeTest, TheRelativeTermIsThatOfTheResult) {
  // |100 - 111| = 11 <= 0.1 + 0.1 * 111, but not <= 0.1 + 0.1 * 100.
  EXPECT_EQ(Of(at::tensor({100.0F}), at::tensor({111.0F}), {}, {0.1}).mismatching, 0);
  EXPECT_EQ(Of(at::tensor({111.0F}), at::tensor({100.0F}), {}, {0.1}).mismatching, 1);
}

TEST(SummarizeTest, NanAgreesWithNanOnlyIfAsked) {
  const at::Tensor tensor = at::tensor({kNan, 1.0F});
  EXPECT_EQ(Of(tensor, tensor, {}, {1e-4, false}).mismatching, 1);
  EXPECT_EQ(Of(tensor, tensor, {}, {1e-4, true}).mismatching, 0);
  EXPECT_TRUE(Of(tensor, tensor, {}, {1e-4, true}).all_equal());
}

TEST(SummarizeTest, TheSameInfinityLeavesNoError) {
  const at::Tensor tensor = at::tensor({kInf, -kInf, 1.0F});
  const Summary summary = Of(tensor, tensor, tensor.to(at::kDouble));
  EXPECT_TRUE(summary.all_equal());
  EXPECT_EQ(summary.rmse_reference(), 0);
  EXPECT_EQ(summary.rmse_result(), 0);
  EXPECT_EQ(summary.reference.inf, 2);
}

TEST(SummarizeTest, OtherInfinitiesAreInfinitelyFarApart) {
  for (const float other : {-kInf, 1.0F}) {
    const Summary summary = Of(at::tensor({kInf}), at::tensor({other}), {}, {1e30});
    EXPECT_EQ(summary.mismatching, 1);
    EXPECT_TRUE(std::isinf(summary.max_abs));
  }
}

TEST(SummarizeTest, CountsWhatIsNotFiniteByRun) {
  at::Tensor reference = at::zeros({5000});
  at::Tensor result = at::zeros({5000});
  at::Tensor fp64 = at::zeros({5000}, at::kDouble);
  reference[7] = kNan;
  reference[4000] = kNan;
  reference[8] = kInf;
  result[7] = kNan;
  result[9] = -kInf;
  fp64[10] = kNan;
  const Summary summary = Of(reference, result, fp64);
  EXPECT_EQ(summary.reference.nan, 2);
  EXPECT_EQ(summary.reference.inf, 1);
  EXPECT_EQ(summary.result.nan, 1);
  EXPECT_EQ(summary.result.inf, 1);
  EXPECT_EQ(summary.fp64.nan, 1);
  EXPECT_EQ(summary.nan_on_one_side, 1);
}

TEST(SummarizeTest, HugeNumbersAreNotTakenForInfinity) {
  const Summary summary = Of(at::tensor({1e200}), at::tensor({-1e200}));
  EXPECT_EQ(summary.reference.inf, 0);
  EXPECT_EQ(summary.max_abs, 2e200);
}

TEST(SummarizeTest, ComplexNumbersAreComparedInThePlane) {
  const at::Tensor reference = at::complex(at::tensor({0.0F, 1.0F}), at::tensor({0.0F, 1.0F}));
  const at::Tensor result = at::complex(at::tensor({3.0F, 1.0F}), at::tensor({4.0F, 1.0F}));
  const Summary summary = Of(reference, result);
  EXPECT_EQ(summary.max_abs, 5);
  EXPECT_EQ(summary.mismatching, 1);
  EXPECT_DOUBLE_EQ(summary.rmse_between(), std::sqrt(12.5));
  // 5 <= 1 + 1 * 5.
  EXPECT_EQ(Of(reference, result, {}, {1}).mismatching, 0);
}

TEST(BlockSumsTest, AreNotFiniteIfAnElementIsNot) {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  for (const float odd : {kNan, kInf, -kInf}) {
    for (int i = 0; i < 6; ++i) {
      float others[] = {1, 2, 3, 4, 5, 6};
      others[i] = odd;
      EXPECT_FALSE(SumBlock(numbers, others, numbers, 6, 1e-4, 1e-4).AreFinite());
      EXPECT_FALSE(SumBlock(others, numbers, numbers, 6, 1e-4, 1e-4).AreFinite());
      EXPECT_FALSE(SumBlock(others, others, others, 6, 1e-4, 1e-4).AreFinite());
      EXPECT_FALSE(SumBlock(numbers, numbers, others, 6, 1e-4, 1e-4).AreFinite());
    }
  }
  EXPECT_TRUE(SumBlock(numbers, numbers, numbers, 6, 1e-4, 1e-4).AreFinite());
}

}  // namespace
}  // namespace culprit::compare
