// SPDX-License-Identifier: Apache-2.0
//
// Indices that cannot be mixed up.
#pragma once

#include <cstdint>

namespace culprit::graph {

/// Names a value of one graph: its index in Graph::values().
enum class ValueId : uint32_t {};

/// Names a node of one graph: its index in Graph::nodes(), which is also its place in program order.
enum class NodeId : uint32_t {};

constexpr uint32_t Index(ValueId id) {
  return static_cast<uint32_t>(id);
}
constexpr uint32_t Index(NodeId id) {
  return static_cast<uint32_t>(id);
}

}  // namespace culprit::graph
