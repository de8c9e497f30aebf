// SPDX-License-Identifier: Apache-2.0
//
// Looks for a difference in random programs, seed by seed:
//
//   mutant_NAME SEEDS
//
// Prints every seed before its program runs. Exit code 0 if nothing differs, 1 if the last one does; a
// program that computes for half a minute ends it with SIGPROF.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace culprit::tests {

/// Says what is different for a seed, or nothing. The path is for the program.
using CompareSeed = std::function<std::string(uint64_t seed, const std::string& path)>;

/// Gives the exit code.
int CompareSeeds(const char* seeds, const CompareSeed& compare);

}  // namespace culprit::tests
