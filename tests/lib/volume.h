// SPDX-License-Identifier: Apache-2.0
//
// How much of a volume test runs: a sample with fixed seeds in `make test`, everything in `make test-long`.
#pragma once

#include <cstdlib>
#include <string_view>

namespace culprit::tests {

inline bool FullVolume() {
  const char* volume = std::getenv("CULPRIT_TEST_VOLUME");
  return volume != nullptr && std::string_view(volume) == "full";
}

inline int Volume(int sample, int full) {
  return FullVolume() ? full : sample;
}

}  // namespace culprit::tests
