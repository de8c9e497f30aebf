// SPDX-License-Identifier: Apache-2.0
//
// Compares random programs with their capture.
#include "tests/capture/captured.h"
#include "tests/capture/random_program.h"
#include "tests/mutants/compare_seeds.h"

namespace culprit::tests {
namespace {

std::string Compare(uint64_t seed, const std::string& path) {
  return DifferencesWhenCaptured(path, MakeRandomProgram(seed));
}

}  // namespace
}  // namespace culprit::tests

int main(int /*argc*/, char** argv) {
  return culprit::tests::CompareSeeds(argv[1], culprit::tests::Compare);
}
