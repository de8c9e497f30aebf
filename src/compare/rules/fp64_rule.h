// SPDX-License-Identifier: Apache-2.0
//
// The rule that tells rounding from wrong numbers: a result that is not close to the reference still passes
// if it is about as near to the truth, which is the same computation in float64,
//
//   E_result <= m * E_reference + tolerance * scale / 10     E: RMSE against fp64; m: multiplier.h
//
// so catastrophic cancellation in both runs is no failure. E is NaN if an element of fp64 or of the run is;
// then the rule fails, unless NaN equals NaN and both E are NaN. In that case the elements that are numbers
// are judged, and reference and result must be NaN in the same places (PyTorch lets all numbers pass as soon
// as there is one NaN on each side). In revision C infinities have to agree, too.
#pragma once

#include "compare/elements/summary.h"
#include "compare/rules/multiplier.h"

namespace culprit::compare {

bool PassesFp64Rule(const Summary& summary, double multiplier, const Options& options, double tolerance,
                    double scale = 1);

/// The smallest tolerance that passes; infinite if there is none.
double SmallestFp64Tolerance(const Summary& summary, const MultiplierCase& output, const Options& options,
                             double scale = 1);

}  // namespace culprit::compare
