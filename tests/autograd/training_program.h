// SPDX-License-Identifier: Apache-2.0
//
// Random programs about gradients: views of everything, writes through them, operators that save their
// operands, their results or nothing, statistics of batch norm, random numbers, detached twins, writes that
// backward minds, a few loops and graph breaks. Tensors are matrices of n x n and vectors of n, as in
// tests/capture/random_program.h, whose programs are about control flow and containers.
#pragma once

#include <cstdint>
#include <string>

namespace culprit::tests {

/// A file as those in tests/fixtures/autograd. The same seed gives the same program.
std::string MakeTrainingProgram(uint64_t seed, int statements = 12);

}  // namespace culprit::tests
