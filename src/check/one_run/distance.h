// SPDX-License-Identifier: Apache-2.0
//
// How far an output is from the same output computed in float64, as `culprit run --fp64` shows it.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

namespace culprit::check {

/// Largest difference over all elements, and largest difference divided by the reference. Elements that are
/// both NaN or the same infinity agree; a number and NaN are infinitely far apart, as are different sizes.
struct Distance {
  double max_abs = 0;
  double max_rel = 0;
};

/// One per output; nothing where there are no numbers to compare: None, no elements, or a sparse tensor that
/// would be larger than 2^28 elements if its zeros were written out.
using Distances = std::vector<std::optional<Distance>>;

std::optional<Distance> DistanceBetween(const c10::IValue& output, const c10::IValue& reference);
Distances DistancesBetween(const std::vector<c10::IValue>& outputs,
                           const std::vector<c10::IValue>& references);

}  // namespace culprit::check
