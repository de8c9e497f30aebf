// SPDX-License-Identifier: Apache-2.0
//
// Random graphs for tests: valid, and they run. Each call is executed as it is added; one that throws is
// dropped and another one tried. The operators stand in tables, one file per family
// (tests/lib/random_graph/), which together hold more than 300 of ATen's.
//
// What the graphs contain on purpose: numbers in Tensor slots, sizes that are values, lists with None in
// them, strings, complex numbers, infinities and NaNs and denormals as attributes, tensors without elements,
// non-contiguous inputs and constants, results that nothing uses, writes into inputs and views.
//
// What they do not contain: reads of uninitialised memory, and shapes that depend on the contents of tensors.
// So a graph gives the same bits whenever it is run with the same inputs and the same random seed.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::tests {

struct RandomGraph {
  graph::Graph graph;
  /// One per placeholder: tensors and ints. A run may write into them.
  std::vector<c10::IValue> inputs;
};

/// The same seed gives the same graph. `calls` is what is aimed at; list elements and sizes come on top.
RandomGraph MakeRandomGraph(uint64_t seed, int calls = 30);

/// The names of the operators in the tables.
std::vector<std::string_view> RandomGraphOperators();

}  // namespace culprit::tests
