// SPDX-License-Identifier: Apache-2.0
//
// Random graphs that have one answer. Of NaN some operators of libtorch give one thing in whole vectors and
// another one at the ends of rows, which depends on the processor; what they take has no NaN here.
#pragma once

#include "tests/lib/random_graph.h"

namespace culprit::tests {

/// With a nan_to_num in front of each of those operators.
RandomGraph MakeComparableGraph(uint64_t seed);

}  // namespace culprit::tests
