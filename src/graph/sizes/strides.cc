// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/strides.h"

#include <algorithm>
#include <numeric>

namespace culprit::graph::sizes {

bool LiesIn(const Order& order, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  int64_t expected = 1;
  for (size_t i = order.size(); i > 0; --i) {
    const uint8_t dimension = order[i - 1];
    if (strides[dimension] != expected) return false;
    expected *= std::max<int64_t>(sizes[dimension], 1);
  }
  return true;
}

std::optional<Order> DenseOrder(c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  Order order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  // Where strides are equal, the inner dimension has one element.
  std::ranges::stable_sort(order, [&](uint8_t a, uint8_t b) {
    return strides[a] != strides[b] ? strides[a] > strides[b] : sizes[a] != 1 && sizes[b] == 1;
  });
  return LiesIn(order, sizes, strides) ? std::optional(order) : std::nullopt;
}

std::vector<int64_t> StridesIn(const Order& order, c10::IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (size_t i = order.size(); i > 0; --i) {
    strides[order[i - 1]] = next;
    next *= std::max<int64_t>(sizes[order[i - 1]], 1);
  }
  return strides;
}

}  // namespace culprit::graph::sizes
