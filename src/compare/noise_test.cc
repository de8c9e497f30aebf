// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compare/compare.h"
#include "tests/lib/values.h"

namespace culprit::compare {
namespace {

at::Tensor Filled(double value) {
  return at::full({10}, value, at::kFloat);
}

using Moved = std::pair<NoiseSource, c10::IValue>;

/// Of a comparison of ones with `result`, after these runs.
Verdict WithNoise(const at::Tensor& result, const std::optional<c10::IValue>& fp64,
                  const std::vector<Moved>& runs, const at::Tensor& reference = Filled(1)) {
  Verdict verdict = Compare(reference, result, fp64, {});
  BeginNoise(verdict);
  for (const auto& [source, run] : runs) AddNoise(reference, source, run, {}, verdict);
  return verdict;
}
Noise NoiseOf(double result, const std::optional<c10::IValue>& fp64, const std::vector<Moved>& runs) {
  return WithNoise(Filled(result), fp64, runs).outputs.at(0).noise.value();
}
bool IsForgiven(Verdict verdict) {
  EXPECT_FALSE(verdict.passes());
  ForgiveNoise(verdict);
  return verdict.passes() && verdict.outputs.at(0).rule == Rule::kNoise;
}

TEST(NoiseTest, TheFloorIsTheLargest) {
  const Noise noise = NoiseOf(9, at::full({10}, 1.25, at::kDouble),
                              {{NoiseSource::kRepeated, Filled(1.5)},
                               {NoiseSource::kNudged, Filled(3)},
                               {NoiseSource::kNudged, Filled(2)}});
  EXPECT_EQ(noise.fp64, 0.25);
  EXPECT_EQ(noise.repeated, 0.5);
  EXPECT_EQ(noise.nudged, 2);
  EXPECT_EQ(noise.floor, 2);
  EXPECT_EQ(noise.factor, 4);
}

TEST(NoiseTest, OneMeasurementIsEnough) {
  EXPECT_EQ(NoiseOf(9, std::nullopt, {{NoiseSource::kRepeated, Filled(2)}}).factor, 8);
  EXPECT_EQ(NoiseOf(9, at::full({10}, 2, at::kDouble), {}).factor, 8);
}

TEST(NoiseTest, WithoutNoiseEveryErrorIsInfinitelyLarge) {
  EXPECT_TRUE(std::isinf(NoiseOf(2, std::nullopt, {{NoiseSource::kRepeated, Filled(1)}}).factor));
  EXPECT_EQ(NoiseOf(1, std::nullopt, {{NoiseSource::kRepeated, Filled(1)}}).factor, 0);
}

TEST(NoiseTest, OutputsWithoutAMeasurementHaveNone) {
  const c10::IValue reference = tests::List({Filled(1), Filled(1)});
  Verdict verdict = Compare(reference, reference, std::nullopt, {});
  AddNoise(reference, NoiseSource::kNudged, tests::List({at::ones({3}), Filled(1)}), {}, verdict);
  EXPECT_FALSE(verdict.outputs.at(0).noise) << "of another shape";
  EXPECT_TRUE(verdict.outputs.at(1).noise);
}

TEST(ForgiveNoiseTest, UpToFourTimesTheNoise) {
  const std::vector<Moved> runs{{NoiseSource::kNudged, Filled(2)}};
  EXPECT_TRUE(IsForgiven(WithNoise(Filled(5), std::nullopt, runs)));
  EXPECT_FALSE(IsForgiven(WithNoise(Filled(5.01), std::nullopt, runs)));
  EXPECT_FALSE(IsForgiven(WithNoise(Filled(5), std::nullopt, {})));
}

TEST(ForgiveNoiseTest, NanOnlyWhereARunHasSome) {
  at::Tensor result = Filled(1), run = Filled(1);
  result[3] = NAN;
  EXPECT_FALSE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}})));
  run[5] = NAN;
  EXPECT_TRUE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}})));
}

TEST(ForgiveNoiseTest, NanInOneElementExcusesNotAll) {
  at::Tensor result = Filled(1), run = Filled(1);
  run[5] = NAN;
  result.narrow(0, 0, 4).fill_(NAN);
  EXPECT_TRUE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}})));
  result[4] = NAN;
  EXPECT_FALSE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}})));
}

// A label that changes when the input moves by one unit in the last place.
TEST(ForgiveNoiseTest, IntegersThatFlipInARunToo) {
  const at::Tensor labels = at::zeros({1000}, at::kLong);
  at::Tensor result = labels.clone(), run = labels.clone();
  result.narrow(0, 0, 4).fill_(7);
  EXPECT_FALSE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}}, labels)));
  run[500] = 9;
  EXPECT_TRUE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}}, labels)));
  result[4] = 7;
  EXPECT_FALSE(IsForgiven(WithNoise(result, std::nullopt, {{NoiseSource::kNudged, run}}, labels)));
}

TEST(MayBeNoiseTest, UntilItIsExplainedOrFarTooLarge) {
  EXPECT_TRUE(MayBeNoise(WithNoise(Filled(5), std::nullopt, {}), 100)) << "nothing is known yet";
  EXPECT_TRUE(MayBeNoise(WithNoise(Filled(51), std::nullopt, {{NoiseSource::kNudged, Filled(2)}}), 100));
  EXPECT_FALSE(MayBeNoise(WithNoise(Filled(151), std::nullopt, {{NoiseSource::kNudged, Filled(2)}}), 100));
  EXPECT_FALSE(MayBeNoise(WithNoise(Filled(3), std::nullopt, {{NoiseSource::kNudged, Filled(2)}}), 100))
      << "explained";
}

TEST(MayBeKinkTest, WhereFewElementsAreOffOrAllOfThemALittle) {
  at::Tensor one_off = Filled(1);
  one_off[3] = 1000;
  EXPECT_TRUE(MayBeKink(WithNoise(one_off, std::nullopt, {})));
  EXPECT_TRUE(MayBeKink(WithNoise(Filled(1.01), std::nullopt, {})));
  EXPECT_FALSE(MayBeKink(WithNoise(Filled(2), std::nullopt, {})));
  EXPECT_FALSE(MayBeKink(WithNoise(one_off, std::nullopt, {{NoiseSource::kNudged, one_off}}))) << "explained";
}

TEST(MayBeKinkTest, AShapeThatIsAnotherInARunToo) {
  const auto rows = [](int64_t count) { return at::ones({count, 2}); };
  Verdict verdict = WithNoise(rows(3), std::nullopt, {}, rows(4));
  EXPECT_TRUE(MayBeKink(verdict));
  AddNoise(rows(4), NoiseSource::kNudged, rows(4), {}, verdict);
  EXPECT_TRUE(MayBeKink(verdict)) << "the run had the same shape";
  AddNoise(rows(4), NoiseSource::kNudged, rows(5), {}, verdict);
  EXPECT_FALSE(MayBeKink(verdict));
  ForgiveNoise(verdict);
  EXPECT_TRUE(verdict.passes());
}

TEST(IsNearNoiseTest, UpToTwentyTimes) {
  const std::vector<Moved> runs = {{NoiseSource::kNudged, Filled(2)}};
  EXPECT_TRUE(IsNearNoise(WithNoise(Filled(20), std::nullopt, runs)));
  EXPECT_FALSE(IsNearNoise(WithNoise(Filled(22), std::nullopt, runs)));
  EXPECT_FALSE(IsNearNoise(WithNoise(Filled(20), std::nullopt, {}))) << "nothing is known";
}

}  // namespace
}  // namespace culprit::compare
