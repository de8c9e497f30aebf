// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tests/sizes/sized_program.h"

namespace culprit::tests {

/// Arithmetic on the two sizes of a tensor, some of which decides something, with calls of random sizes from
/// 2 to 40 and, sometimes, far above.
SizedProgram RandomSizeProgram(uint32_t seed);

}  // namespace culprit::tests
