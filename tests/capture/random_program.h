// SPDX-License-Identifier: Apache-2.0
//
// Random programs in TorchScript, as text of the dialect with classes (model/source_model.h): a module with
// attributes and a submodule, functions that it calls, and a few classes. They compile, they end, and they
// give the same whenever they are called with the same inputs and seed. Some throw; that is a result as any
// other.
//
// All tensors are square matrices of n x n, vectors of n, or have no dimensions, so that whatever stands for
// one of a kind can stand for any other, and every call may choose its own n. A name keeps its kind.
#pragma once

#include <cstdint>
#include <string>

namespace culprit::tests {

struct RandomProgramOptions {
  /// What is aimed at.
  int statements = 25;
  /// Arguments require gradients; without it those of some programs do.
  bool gradients = false;
};

/// A file as those in tests/fixtures/hazards (tests/capture/hazard.h). The same seed gives the same program.
std::string MakeRandomProgram(uint64_t seed, const RandomProgramOptions& options = {});

}  // namespace culprit::tests
