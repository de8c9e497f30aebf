// SPDX-License-Identifier: Apache-2.0
//
// Runs printed scripts under plain Python with PyTorch and brings their outputs back bit for bit.
// tests/python/run_module.py is the other half, and documents the format of the outputs.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace culprit::tests {

struct PythonRun {
  /// The text of a file with a class Repro.
  std::string script = {};
  /// Tensors and numbers, one per argument of forward().
  std::vector<c10::IValue> inputs = {};
  /// In place of the two: a file with a repro, which brings its inputs along.
  std::string repro = {};
};

struct PythonSettings {
  /// For torch.manual_seed, before each run.
  uint64_t seed = 0;
  /// The same number as here, or sums come out in another order.
  int threads = at::get_num_threads();
};

using PythonOutputs = base::Result<std::vector<c10::IValue>>;

/// All runs in one process, since importing torch takes seconds; one result per run. What a script raises is
/// its error and leaves the others alone; if the process dies, the runs it had not finished have errors.
/// Tensors come back contiguous; None is None.
std::vector<PythonOutputs> RunInPython(const std::vector<PythonRun>& runs,
                                       const PythonSettings& settings = {});

/// Both None, or equal numbers, or tensors of the same dtype, sizes and bits. Strides do not count, and an
/// undefined tensor is None, which is what Python makes of it.
bool SameBits(const c10::IValue& a, const c10::IValue& b);

}  // namespace culprit::tests
