// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace culprit::tests {

/// A program with tensors that are made of sizes: arithmetic, views, writes, branches and data, in any order.
/// In the form of hazards (tests/capture/hazard.h).
std::string MakeRandomNumbers(uint64_t seed);

}  // namespace culprit::tests
