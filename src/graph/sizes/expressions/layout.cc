// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace culprit::graph::sizes {

Layout Layout::Of(c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  Layout layout;
  for (size_t i = sizes.size(); i > 0; --i) {
    const size_t dimension = i - 1;
    if (strides[dimension] != 0 || sizes[dimension] == 1)
      layout.numbers_.push_back(static_cast<int64_t>(dimension));
  }
  // Where strides are equal, the inner dimension has one element.
  std::ranges::stable_sort(layout.numbers_, [&](int64_t a, int64_t b) {
    return strides[a] != strides[b] ? strides[a] < strides[b] : sizes[a] == 1 && sizes[b] != 1;
  });
  layout.follows_sizes_ = true;
  if (layout.Fits(sizes, strides)) return layout;
  layout.follows_sizes_ = false;
  layout.numbers_ = strides.vec();
  return layout;
}

bool Layout::Fits(c10::IntArrayRef sizes, c10::IntArrayRef strides) const {
  if (!follows_sizes_) return strides == c10::IntArrayRef(numbers_);
  int64_t expected = 1;
  size_t broadcast = sizes.size();
  for (const int64_t dimension : numbers_) {
    if (strides[dimension] != expected) return false;
    expected *= std::max<int64_t>(sizes[dimension], 1);
    --broadcast;
  }
  return broadcast == 0 || static_cast<size_t>(std::ranges::count(strides, 0)) == broadcast;
}

std::vector<int64_t> Layout::StridesFor(c10::IntArrayRef sizes) const {
  if (!follows_sizes_) return numbers_;
  std::vector<int64_t> strides(sizes.size(), 0);
  int64_t next = 1;
  for (const int64_t dimension : numbers_) {
    strides[dimension] = next;
    next *= std::max<int64_t>(sizes[dimension], 1);
  }
  return strides;
}

std::string Layout::ToString() const {
  if (!follows_sizes_) return fmt::format("with strides [{}]", fmt::join(numbers_, ", "));
  return fmt::format("without gaps, dimensions in the order [{}]",
                     fmt::join(numbers_.rbegin(), numbers_.rend(), ", "));
}

}  // namespace culprit::graph::sizes
