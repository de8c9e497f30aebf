// SPDX-License-Identifier: Apache-2.0
//
// Compares random arithmetic on tensors of sizes with its capture.
#include "tests/capture/captured.h"
#include "tests/capture/random_numbers.h"
#include "tests/mutants/compare_seeds.h"

namespace culprit::tests {
namespace {

std::string Compare(uint64_t seed, const std::string& path) {
  return DifferencesWhenCaptured(path, MakeRandomNumbers(seed));
}

}  // namespace
}  // namespace culprit::tests

int main(int /*argc*/, char** argv) {
  return culprit::tests::CompareSeeds(argv[1], culprit::tests::Compare);
}
