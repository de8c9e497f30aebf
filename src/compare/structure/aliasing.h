// SPDX-License-Identifier: Apache-2.0
//
// Which outputs share memory with which others: writing to one then changes the other. Two tensors share
// memory if the stretches of one storage that they reach from first to last element overlap; so halves of a
// tensor do not, while columns of a matrix do. Both sides are seen the same way.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "compare/verdict/verdict.h"

namespace culprit::compare {

/// Corresponding tensors of the two runs; either may be of a kind that has no single storage.
struct TensorPair {
  std::string path;
  at::Tensor reference;
  at::Tensor result;
};

/// A mismatch for every two outputs that share memory in one run only.
std::vector<Mismatch> CompareAliasing(const std::vector<TensorPair>& pairs);

}  // namespace culprit::compare
