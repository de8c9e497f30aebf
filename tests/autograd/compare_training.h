// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tests/capture/captured.h"

namespace culprit::tests {

/// Compares the program of a seed with its capture (tests/capture/captured.h), twice: with random tangents of
/// all that is left behind, and with a form of inputs and a way back that the seed chooses. `path` is where
/// the program is written.
base::Result<Comparison> CompareTraining(uint64_t seed, const std::string& text, const std::string& path,
                                         const std::string& backend, Coverage& coverage);

}  // namespace culprit::tests
