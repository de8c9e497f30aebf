// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/compare_seeds.h"

#include <fmt/format.h>
#include <sys/time.h>

#include <cstdlib>
#include <iostream>

#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

constexpr itimerval kLongestProgram = {.it_interval = {}, .it_value = {.tv_sec = 30, .tv_usec = 0}};

}  // namespace

int CompareSeeds(const char* seeds, const CompareSeed& compare) {
  const TemporaryFolder folder;
  const uint64_t count = std::strtoull(seeds, nullptr, 10);
  for (uint64_t seed = 0; seed < count; ++seed) {
    std::cout << fmt::format("seed {}\n", seed) << std::flush;
    setitimer(ITIMER_PROF, &kLongestProgram, nullptr);
    if (!compare(seed, folder / "program.py").empty()) return 1;
  }
  return 0;
}

}  // namespace culprit::tests
