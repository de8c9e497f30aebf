// SPDX-License-Identifier: Apache-2.0
//
// Says how an error compares with errors that mean nothing, so that a report can read "4000 times the noise"
// or "no more than when the inputs are moved by one unit in the last place".
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "compare/verdict.h"

namespace culprit::compare {

/// More runs of the reference, in its structure. Its run in fp64 is in the verdict already.
struct NoiseRuns {
  /// Once more with the same inputs.
  std::optional<c10::IValue> repeated;
  /// With inputs moved by one unit in the last place.
  std::optional<c10::IValue> nudged;
};

/// Fills in the noise of every output that has a measurement: an fp64 reference, or a tensor of the same
/// shape in one of the runs.
void MeasureNoise(const c10::IValue& reference, const NoiseRuns& runs, Verdict& verdict);

}  // namespace culprit::compare
