// SPDX-License-Identifier: Apache-2.0
#include "ranks/words.h"

#include <fmt/format.h>

namespace culprit::ranks {

std::string NameRanks(const std::vector<int>& ranks, int size) {
  std::string names;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const bool is_last = i + 1 == ranks.size();
    names += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", ranks[i]);
  }
  return fmt::format("rank{} {} of {}", ranks.size() == 1 ? "" : "s", names, size);
}

std::string NameLimit(std::chrono::milliseconds limit) {
  return fmt::format("{} s", static_cast<double>(limit.count()) / 1000);
}

}  // namespace culprit::ranks
