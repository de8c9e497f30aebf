// SPDX-License-Identifier: Apache-2.0
//
// How large an error is beside errors that mean nothing, so that a report can read "4000 times the noise",
// and what is no larger than the noise is no failure. Noise is how far the results of the reference itself
// move when it runs again, or with numbers that are a unit in the last place off.
//
//   a ReLU whose input lies within rounding of 0   one element of a gradient is there or not: so it is in
//                                                   eager, if the input of the model moves a little
//   nonzero(x > 0)                                  has one row more or less, for the same reason
//   a + b + c where a + b is nearly -c             the rest is rounding, another one in another order
//   sums of numbers near the largest of the dtype  infinite in one order only
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "compare/undefined_elements.h"
#include "compare/verdict/options.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

enum class NoiseSource { kRepeated, kNudged };

/// An output whose error is at most this many times the noise passes.
constexpr double kNoiseFactor = 4;
/// One whose error is at most this many times the noise fails, but a search for a clear failure should not
/// end with it.
constexpr double kNearNoiseFactor = 20;

/// Adds one more run of the reference, in its structure, to the noise of every output that corresponds to a
/// tensor of the same shape in it. Undefined elements make none.
void AddNoise(const c10::IValue& reference, NoiseSource source, const c10::IValue& run,
              const Options& options, Verdict& verdict, const UndefinedElements& undefined = {});

/// What fp64 says of the reference, which stands in the verdict, is the first of the noise.
void BeginNoise(Verdict& verdict);

/// Sums of the reference may be infinite in another order: so NaN and infinities on one side are noise.
void ForgiveOverflow(Verdict& verdict);

/// Whether more runs could show that the error of an output that is off is noise: some error is not explained
/// yet, and is no more than `most` times the noise, or there are NaNs on one side, or MayBeKink.
bool MayBeNoise(const Verdict& verdict, double most);

/// Whether some error that is not explained yet could come from a number within rounding of an edge, where
/// one run falls on this side and one on that: it is of few elements, or small beside the reference, or of a
/// size that depends on numbers. Such noise shows in some runs only.
bool MayBeKink(const Verdict& verdict);

/// Whether all that is off is off by at most kNearNoiseFactor times the noise.
bool IsNearNoise(const Verdict& verdict);

/// Lets outputs pass whose errors are noise (Rule::kNoise): no more than kNoiseFactor times as large, also if
/// only elements that are off are looked at, of which noise explains three quarters one by one; NaN and
/// infinities on one side only if a run has some, too, and no more than kNoiseFactor times as many new NaNs;
/// no more than kNoiseFactor times as many integers and bools that differ as in one of the runs. Shapes and
/// values that are others in one of the runs agree.
void ForgiveNoise(Verdict& verdict);

}  // namespace culprit::compare
