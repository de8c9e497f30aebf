// SPDX-License-Identifier: Apache-2.0
//
// The same graph on harmless numbers. Where two right ways to compute may differ without limit, at ties that
// an index or a rounding decides and where numbers overflow, they agree on these; a mistake stays.
#pragma once

#include "tests/compiler/reduce.h"

namespace culprit::tests {

/// Floats that are not finite or very large become moderate ones, and all of them move by a little.
GraphCase Tame(const GraphCase& wild, uint64_t seed);

}  // namespace culprit::tests
