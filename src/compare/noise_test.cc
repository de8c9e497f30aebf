// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare/compare.h"
#include "tests/lib/values.h"

namespace culprit::compare {
namespace {

at::Tensor Filled(double value) {
  return at::full({10}, value, at::kFloat);
}

Noise NoiseOf(double result, const std::optional<c10::IValue>& fp64, const NoiseRuns& runs) {
  const c10::IValue reference = Filled(1);
  Verdict verdict = Compare(reference, Filled(result), fp64, {});
  MeasureNoise(reference, runs, verdict);
  return verdict.outputs.at(0).noise.value();
}

TEST(MeasureNoiseTest, TheFloorIsTheLargestOfTheThree) {
  const Noise noise = NoiseOf(9, at::full({10}, 1.25, at::kDouble), {Filled(1.5), Filled(3)});
  EXPECT_EQ(noise.fp64, 0.25);
  EXPECT_EQ(noise.repeated, 0.5);
  EXPECT_EQ(noise.nudged, 2);
  EXPECT_EQ(noise.floor, 2);
  EXPECT_EQ(noise.factor, 4);
}

TEST(MeasureNoiseTest, OneMeasurementIsEnough) {
  EXPECT_EQ(NoiseOf(9, std::nullopt, {Filled(2), std::nullopt}).factor, 8);
  EXPECT_EQ(NoiseOf(9, std::nullopt, {std::nullopt, Filled(2)}).factor, 8);
  EXPECT_EQ(NoiseOf(9, at::full({10}, 2, at::kDouble), {}).factor, 8);
}

TEST(MeasureNoiseTest, WithoutNoiseEveryErrorIsInfinitelyLarge) {
  EXPECT_TRUE(std::isinf(NoiseOf(2, std::nullopt, {Filled(1), {}}).factor));
  EXPECT_EQ(NoiseOf(1, std::nullopt, {Filled(1), {}}).factor, 0);
}

TEST(MeasureNoiseTest, OutputsWithoutAMeasurementHaveNone) {
  const c10::IValue reference = tests::List({Filled(1), Filled(1)});
  Verdict verdict = Compare(reference, reference, std::nullopt, {});
  MeasureNoise(reference, {tests::List({at::ones({3}), Filled(1)}), std::nullopt}, verdict);
  EXPECT_FALSE(verdict.outputs.at(0).noise) << "of another shape";
  EXPECT_TRUE(verdict.outputs.at(1).noise);
}

}  // namespace
}  // namespace culprit::compare
