// SPDX-License-Identifier: Apache-2.0
//
// Compares random programs about gradients with what becomes of them when forward and backward are split.
#include "tests/autograd/compare_training.h"
#include "tests/autograd/training_program.h"
#include "tests/mutants/compare_seeds.h"

namespace culprit::tests {
namespace {

std::string Compare(uint64_t seed, const std::string& path) {
  Coverage coverage;
  const char* backend = seed % 2 == 0 ? "aot-eager" : "aot-eager:partition=min-cut";
  const auto comparison = CompareTraining(seed, MakeTrainingProgram(seed), path, backend, coverage);
  return comparison.ok() ? comparison->differences : comparison.error().Render();
}

}  // namespace
}  // namespace culprit::tests

int main(int /*argc*/, char** argv) {
  return culprit::tests::CompareSeeds(argv[1], culprit::tests::Compare);
}
