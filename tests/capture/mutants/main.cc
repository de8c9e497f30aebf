// SPDX-License-Identifier: Apache-2.0
//
// Compares random programs with their capture until the first difference:
//
//   mutant_NAME SEEDS
//
// Prints every seed before its program runs. Exit code 0 if nothing differs, 1 if the last one does; a
// program that computes for half a minute ends it with SIGPROF.
#include <fmt/format.h>
#include <sys/time.h>

#include <cstdlib>
#include <iostream>

#include "tests/capture/captured.h"
#include "tests/capture/random_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

constexpr itimerval kLongestProgram = {.it_interval = {}, .it_value = {.tv_sec = 30, .tv_usec = 0}};

/// What is different, or empty.
std::string Compare(uint64_t seed, const std::string& path) {
  const std::string text = MakeRandomProgram(seed);
  WriteWholeFile(path, text);
  Coverage coverage;
  const auto comparison = CompareCaptured(*ParseHazard(path, text), coverage);
  return comparison.ok() ? comparison->differences : comparison.error().Render();
}

int Run(uint64_t seeds) {
  const TemporaryFolder folder;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    std::cout << fmt::format("seed {}\n", seed) << std::flush;
    setitimer(ITIMER_PROF, &kLongestProgram, nullptr);
    if (!Compare(seed, folder / "program.py").empty()) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace culprit::tests

int main(int /*argc*/, char** argv) {
  return culprit::tests::Run(std::strtoull(argv[1], nullptr, 10));
}
