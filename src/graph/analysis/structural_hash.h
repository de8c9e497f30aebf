// SPDX-License-Identifier: Apache-2.0
//
// A 128-bit hash of what a graph computes, equal for graphs that differ only in the names of values: values
// are numbered in order of definition. Everything else counts: order of nodes, constants bit for bit, the
// kinds of placeholders, the contents of tensor constants. It stays the same between runs and machines.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  // The linter takes the 0 in what is generated for a pointer.
  auto operator<=>(const Hash128&) const = default;  // NOLINT(modernize-use-nullptr)
  /// 32 hexadecimal digits.
  std::string ToString() const;
};

Hash128 StructuralHash(const Graph& graph);

/// Of the graph with its inputs: bit for bit, with strides, gradness and which of them share memory.
Hash128 StructuralHash(const Graph& graph, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::graph
