// SPDX-License-Identifier: Apache-2.0
//
// What this process computes with: PyTorch, BLAS, processor. Shown by `culprit --version`.
#pragma once

#include <string>

namespace culprit::process {

struct Environment {
  std::string torch_version;
  /// Where that PyTorch is installed: ".../site-packages/torch".
  std::string torch_folder;
  /// "MKL 2024.2"; "open" if it is another one.
  std::string blas;
  /// Empty if there is none.
  std::string onednn;
  /// The vector instructions that ATen's kernels use: "AVX2", "AVX512", "DEFAULT" ...
  std::string cpu_capability;
  std::string cpu_model;
  int threads = 1;
  std::string wait_policy;
};

Environment DescribeEnvironment();

}  // namespace culprit::process
