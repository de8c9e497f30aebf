// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/detail.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace culprit::compare {
namespace {

using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

DetailAndTolerance Of(const at::Tensor& reference, const at::Tensor& result,
                      const std::optional<at::Tensor>& fp64 = std::nullopt, bool equal_nan = false) {
  return ComputeDetail(ElementOperands(reference, result, fp64), equal_nan);
}

TEST(DetailTest, EqualTensorsHaveNoWorstElement) {
  const auto [detail, needed] = Of(at::zeros({5000}), at::zeros({5000}));
  EXPECT_FALSE(detail.worst);
  EXPECT_EQ(detail.histogram.equal, 5000);
  EXPECT_EQ(detail.max_rel, 0);
  EXPECT_EQ(detail.max_ulp, 0);
  EXPECT_EQ(needed, 0);
}

TEST(DetailTest, TheWorstElementIsShownWithAllThreeValues) {
  at::Tensor reference = at::zeros({50, 60});
  at::Tensor result = reference.clone();
  reference[3][4] = 1;
  reference[41][59] = 2;
  const auto [detail, needed] = Of(reference, result, at::full({50, 60}, 3, at::kDouble));
  ASSERT_TRUE(detail.worst);
  EXPECT_THAT(detail.worst->index, ElementsAre(41, 59));
  EXPECT_EQ(detail.worst->reference, 2.0);
  EXPECT_EQ(detail.worst->result, 0.0);
  EXPECT_EQ(detail.worst->fp64.value(), 3.0);
  EXPECT_EQ(needed, 2);
}

TEST(DetailTest, WorstMeansTheLargestToleranceNeeded) {
  // 10 of 1000 is less than 1 of 1.
  const auto [detail, needed] = Of(at::tensor({1010.0F, 2.0F}), at::tensor({1000.0F, 1.0F}));
  EXPECT_THAT(detail.worst.value().index, ElementsAre(1));
  EXPECT_EQ(needed, 0.5);
}

TEST(DetailTest, ComplexNumbersAreShownWhole) {
  const at::Tensor reference = at::complex(at::tensor({1.0F}), at::tensor({2.0F}));
  const auto [detail, unused] = Of(reference, reference.conj().resolve_conj());
  EXPECT_EQ(detail.worst.value().result, c10::complex<double>(1, -2));
  EXPECT_FALSE(detail.worst->fp64);
}

TEST(DetailTest, NanOnOneSideIsWorstOfAll) {
  const auto [detail, needed] = Of(at::tensor({1e30F, 1.0F}), at::tensor({0.0F, kNan}));
  EXPECT_THAT(detail.worst.value().index, ElementsAre(1));
  EXPECT_TRUE(std::isinf(needed));
  EXPECT_EQ(detail.histogram.not_finite, 1);
}

TEST(DetailTest, NanOnBothSidesIsEqualIfAsked) {
  const at::Tensor nan = at::tensor({kNan});
  EXPECT_EQ(Of(nan, nan, {}, true).detail.histogram.equal, 1);
  EXPECT_EQ(Of(nan, nan, {}, false).detail.histogram.not_finite, 1);
}

TEST(DetailTest, MaxRelIsRelativeToTheReference) {
  EXPECT_EQ(Of(at::tensor({2.0F, 100.0F}), at::tensor({3.0F, 101.0F})).detail.max_rel, 0.5);
  EXPECT_TRUE(std::isinf(Of(at::tensor({0.0F}), at::tensor({1e-9F})).detail.max_rel));
  EXPECT_TRUE(std::isinf(Of(at::tensor({1.0F}), at::tensor({kInf})).detail.max_rel));
}

TEST(DetailTest, UlpsAreThoseOfTheDtype) {
  const at::Tensor one = at::full({1}, 1, at::kDouble);
  EXPECT_EQ(Of(one.to(at::kFloat), (one + 0x1p-22).to(at::kFloat)).detail.max_ulp, 2);
  EXPECT_EQ(Of(one.to(at::kBFloat16), (one + 0x1p-6).to(at::kBFloat16)).detail.max_ulp, 2);
  EXPECT_EQ(Of(at::tensor({3}), at::tensor({-4})).detail.max_ulp, 7);
}

TEST(HistogramTest, CountsDecadesOfTheToleranceNeeded) {
  // The result is 0, so the tolerance needed is the reference itself.
  const at::Tensor reference = at::tensor({0.0, 2e-20, 2e-16, 2e-5, 9e-5, 2.0, 5e3, 1e7});
  const Histogram histogram = Of(reference, at::zeros({8}, at::kDouble)).detail.histogram;
  const auto decade = [&](int exponent) { return histogram.decades[exponent - Histogram::kFirst]; };
  EXPECT_EQ(histogram.equal, 1);
  EXPECT_EQ(decade(-16), 2) << "and what is smaller";
  EXPECT_EQ(decade(-5), 2);
  EXPECT_EQ(decade(0), 1);
  EXPECT_EQ(decade(3), 2) << "and what is larger";
  EXPECT_EQ(std::accumulate(histogram.decades.begin(), histogram.decades.end(), int64_t{0}), 7);
}

TEST(DetailTest, TheNeededToleranceIsTheSmallestThatSuffices) {
  const at::Tensor reference = at::randn({10'000});
  const at::Tensor result = reference + at::randn({10'000}) * 1e-3;
  const ElementOperands operands(reference, result, std::nullopt);
  const double needed = ComputeDetail(operands, false).needed;
  EXPECT_EQ(Summarize(operands, {needed}).mismatching, 0);
  EXPECT_EQ(Summarize(operands, {needed * (1 - 1e-9)}).mismatching, 1);
}

}  // namespace
}  // namespace culprit::compare
