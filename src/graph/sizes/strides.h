// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace culprit::graph::sizes {

/// Dimensions from the outermost to the innermost.
using Order = std::vector<uint8_t>;

/// In which order a tensor without gaps lies in memory: its strides follow from its sizes then. Nothing if
/// they do not.
std::optional<Order> DenseOrder(c10::IntArrayRef sizes, c10::IntArrayRef strides);

std::vector<int64_t> StridesIn(const Order& order, c10::IntArrayRef sizes);

/// Whether the tensor has just those strides.
bool LiesIn(const Order& order, c10::IntArrayRef sizes, c10::IntArrayRef strides);

}  // namespace culprit::graph::sizes
