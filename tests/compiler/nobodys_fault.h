// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/lib/random_graph.h"

namespace culprit::tests {

/// Whether a random graph that a compiler does not compute as eager does is known to be no fault of the
/// compiler. Seeds are left out by hand: only the sign of NaN or 0 differs, or a tie that numbers decide
/// which were not rounded to BFloat16 in between, or that rounding alone decides (a quotient by what is 0 but
/// for rounding), which nobody promises; or libtorch treats NaN in one way in its vectors and in another one
/// in tensors that are too small for them, and statistics that do not lie one behind the other as if they
/// did. So is what autograd makes of a graph, which stands in front of any compiler.
bool IsNobodysFault(int seed, const RandomGraph& random);

}  // namespace culprit::tests
