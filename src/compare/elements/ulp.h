// SPDX-License-Identifier: Apache-2.0
//
// Distance in units in the last place: how many steps from one representable number to the next lead from one
// value to the other. 0.0 and -0.0 are the same number, and infinity is one step beyond the largest number.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>

namespace culprit::compare {

/// Both must be values of `dtype` (for complex dtypes: of its parts) and not NaN. For integers and bools the
/// difference.
uint64_t UlpDistance(double a, double b, c10::ScalarType dtype);

}  // namespace culprit::compare
