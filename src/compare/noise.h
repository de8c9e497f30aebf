// SPDX-License-Identifier: Apache-2.0
//
// How large an error is beside errors that mean nothing, so that a report can read "4000 times the noise",
// and what is no larger than the noise is no failure. Noise is how far the results of the reference itself
// move when it runs again, or with numbers that are a unit in the last place off.
//
//   a ReLU whose input lies within rounding of 0   one element of a gradient is there or not: so it is in
//                                                   eager, if the input of the model moves a little
//   a + b + c where a + b is nearly -c             the rest is rounding, another one in another order
//   sums of numbers near the largest of the dtype  infinite in one order only
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "compare/options.h"
#include "compare/verdict.h"

namespace culprit::compare {

enum class NoiseSource { kRepeated, kNudged };

/// An output whose error is at most this many times the noise passes.
constexpr double kNoiseFactor = 4;

/// Adds one more run of the reference, in its structure, to the noise of every output that corresponds to a
/// tensor of the same shape in it.
void AddNoise(const c10::IValue& reference, NoiseSource source, const c10::IValue& run,
              const Options& options, Verdict& verdict);

/// What fp64 says of the reference, which stands in the verdict, is the first of the noise.
void BeginNoise(Verdict& verdict);

/// Sums of the reference may be infinite in another order: so NaN and infinities on one side are noise.
void ForgiveOverflow(Verdict& verdict);

/// Whether more runs could show that the error of an output that is off is noise: some error is not explained
/// yet, and is no more than `most` times the noise, or there are NaNs on one side.
bool MayBeNoise(const Verdict& verdict, double most);

/// Lets outputs pass whose errors are noise (Rule::kNoise): no more than kNoiseFactor times as large; NaN on
/// one side only if a run has that too; no more than kNoiseFactor times as many integers and bools that
/// differ as in one of the runs.
void ForgiveNoise(Verdict& verdict);

}  // namespace culprit::compare
