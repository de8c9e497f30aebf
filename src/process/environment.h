// SPDX-License-Identifier: Apache-2.0
//
// What this process computes with: libtorch, BLAS, processor. Shown by `culprit --version`.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"

namespace culprit::process {

struct Environment {
  std::string torch_version;
  std::string blas;
  bool blas_is_slow = false;
  /// The vector instructions that ATen's kernels use: "AVX2", "AVX512", "DEFAULT" ...
  std::string cpu_capability;
  std::string cpu_model;
  int threads = 1;
  std::string wait_policy;
};

Environment DescribeEnvironment();

/// A warning when matrix products go to the slow reference BLAS, with the package that cures it.
std::optional<base::Diagnostic> SlowBlasWarning(const Environment& environment);

}  // namespace culprit::process
