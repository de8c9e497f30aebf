// SPDX-License-Identifier: Apache-2.0
//
// Whether the memory of a process grows with the number of calls. What the allocator keeps for its threads
// comes and goes, so one number says little; a leak shows in a line through many.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <vector>

namespace culprit::tests {

/// In MiB.
inline double ResidentMemory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// MiB per part, by the line that fits best.
inline double SlopeOf(const std::vector<double>& memory) {
  const double count = static_cast<double>(memory.size());
  const double middle = (count - 1) / 2;
  const double mean = std::accumulate(memory.begin(), memory.end(), 0.0) / count;
  double above = 0;
  double below = 0;
  for (size_t i = 0; i < memory.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    above += x * (memory[i] - mean);
    below += x * x;
  }
  return above / below;
}

/// Behind each part of so many calls the memory was measured. If there are few of them, noise has a slope,
/// too.
inline void ExpectNoSlope(const std::vector<double>& memory, int calls_per_part) {
  constexpr double kNoise = 0.5;
  constexpr double kMostBytesPerCall = 100;
  const double most = kNoise + calls_per_part * kMostBytesPerCall / (1 << 20);
  EXPECT_LT(SlopeOf(memory), most) << testing::PrintToString(memory);
}

}  // namespace culprit::tests
