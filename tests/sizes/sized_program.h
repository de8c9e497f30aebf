// SPDX-License-Identifier: Apache-2.0
//
// Programs that compute with sizes, each with calls that cross what it decides by them:
//
//   === 4x3 5x3 30x3 n7,2x3       one word per call, arguments separated by commas
//   def f(x):                     the program, in TorchScript
//       return x[:min(x.size(0), 20)]
//
//   4x3       floats of these sizes
//   i5        whole numbers 0 and 1 of these sizes
//   n7        the number 7
//   5x4T      the last two dimensions transposed; C: channels-last; E: expanded; O: begins behind the
//             beginning of its memory; G: with gaps
#pragma once

#include <string>
#include <vector>

namespace culprit::tests {

struct SizedProgram {
  std::vector<std::string> calls;
  std::string source;
};

std::vector<SizedProgram> ReadSizedPrograms(const std::string& path);

struct SizedRun {
  /// What the compiled program did otherwise than libtorch's interpreter, one line per call; the values and
  /// shapes of results, gradients and arguments afterwards, or what was thrown.
  std::vector<std::string> differences;
  size_t graphs = 0;
  /// Stretches that ran as written.
  size_t as_written = 0;
  std::vector<std::string> log;
};

/// Compiles it, and calls it as it says. The eager backend has to give the same bits; others may round.
SizedRun RunSizedProgram(const SizedProgram& program, const std::string& backend, bool with_gradients);

}  // namespace culprit::tests
