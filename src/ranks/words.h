// SPDX-License-Identifier: Apache-2.0
//
// Words that messages about ranks share.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace culprit::ranks {

/// "rank 2 of 4", "ranks 1, 2 and 3 of 4".
std::string NameRanks(const std::vector<int>& ranks, int size);

/// "30 s", "0.5 s".
std::string NameLimit(std::chrono::milliseconds limit);

}  // namespace culprit::ranks
