// SPDX-License-Identifier: Apache-2.0
//
// The multiplier m of the fp64 rule: a result passes if it is at most m times as far from fp64 as the
// reference is, E_result <= m * E_reference + tolerance / 10. The first row that holds decides:
//
//   condition                                                              A                        B, C
//   force_max_multiplier                                                   (row does not exist)     10
//   larger_multiplier_for_small and at most 10 elements                    10 if tolerance >= 0.04  10
//   larger_multiplier_for_small and at most 500 elements                   5 if tolerance >= 0.04   8
//   fewer than 1000 elements, or 4-d with the last two sizes 1,
//     or tolerance >= 0.02                                                 3                        3
//   bfloat16 (B, C: or float16)                                               3                        3
//   otherwise                                                              2                        2
//
// Small tensors get more room because one unlucky element moves their RMSE.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

#include "compare/verdict/options.h"

namespace culprit::compare {

/// What the table looks at, besides the options.
struct MultiplierCase {
  c10::IntArrayRef sizes;
  c10::ScalarType dtype = c10::ScalarType::Float;

  int64_t elements() const;
};

/// `tolerance` stands for that of the options, so that the smallest one that passes can be searched.
double Multiplier(const MultiplierCase& output, const Options& options, double tolerance);

/// The tolerances from which on the multiplier may be larger, in ascending order.
constexpr double kMultiplierSteps[] = {0.02, 0.04};

}  // namespace culprit::compare
