// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string>
#include <vector>

namespace culprit::graph::sizes {

/// How a tensor lies in memory, whatever its sizes are:
///
///   [4, 3] with strides [3, 1]       without gaps, the last dimension innermost: strides follow from sizes
///   [4, 3] with strides [0, 1]       the first dimension repeats the same memory; so do these
///   [4, 3] with strides [8, 1]       these strides
class Layout {
 public:
  static Layout Of(c10::IntArrayRef sizes, c10::IntArrayRef strides);

  /// Whether strides follow from sizes.
  bool follows_sizes() const { return follows_sizes_; }
  std::vector<int64_t> StridesFor(c10::IntArrayRef sizes) const;
  /// Whether they are those for these sizes.
  bool Fits(c10::IntArrayRef sizes, c10::IntArrayRef strides) const;

  bool operator==(const Layout&) const = default;
  // The linter takes the 0 in what is generated for a pointer.
  auto operator<=>(const Layout&) const = default;  // NOLINT(modernize-use-nullptr)

  /// "without gaps, dimensions in the order [0, 2, 1]", "with strides [8, 1]"
  std::string ToString() const;

 private:
  bool follows_sizes_ = false;
  /// Dimensions without those that repeat memory, the innermost first; or the strides.
  std::vector<int64_t> numbers_;
};

}  // namespace culprit::graph::sizes
