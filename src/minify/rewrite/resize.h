// SPDX-License-Identifier: Apache-2.0
//
// A program on smaller tensors. What it begins with is sliced, so that the numbers stay typical; then the
// nodes are run one after the other, and each gets the sizes among its arguments adjusted to what its
// operands have become (resize_arguments.h). If one of them does not run, the sizes did not fit together.
//
//   x [8, 20, 6, 6], w [20, 20, 3, 3]     20 -> 5     x [8, 5, 6, 6], w [5, 5, 3, 3]
//   c = convolution(x, w)                     =>      c = convolution(x, w)
//   v = view(c, [8, 320])                             v = view(c, [8, 80])
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "minify/program/subject.h"

namespace culprit::minify {

/// A dimension of a tensor that the program begins with.
struct LeafDim {
  std::string leaf;
  int64_t dim = 0;
  // The linter takes the 0 in what is generated for a pointer.
  auto operator<=>(const LeafDim&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// To how many elements.
using NewSizes = std::map<LeafDim, int64_t>;

/// Contiguous tensors stay contiguous, and those in channels-last order stay in it. Where smaller tables make
/// indices too large, these are taken modulo the new size. Refused if that does not run in eager, if
/// something would become empty, or if a tensor cannot be replaced.
base::Result<Program> Resized(const Subject& subject, const NewSizes& sizes);

}  // namespace culprit::minify
