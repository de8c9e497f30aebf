// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace culprit::bench {

/// The largest memory this process has had since the last reset, in MB.
inline double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

/// What the work adds to the peak.
inline double ExtraMegabytes(const auto& work) {
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = PeakMegabytes();
  work();
  return PeakMegabytes() - before;
}

}  // namespace culprit::bench
