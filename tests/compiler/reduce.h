// SPDX-License-Identifier: Apache-2.0
//
// A graph that is compiled wrongly, cut down while it still is: one output, and calls replaced by what eager
// computes for them. It stands in the message of a test that fails.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/graph.h"
#include "tests/compiler/native_backend.h"

namespace culprit::tests {

struct GraphCase {
  graph::Graph graph;
  std::vector<c10::IValue> inputs;
};

GraphCase Reduce(GraphCase whole, const NativeSetting& setting);

/// The graph, its inputs, what is wrong, and which passes have to be off for that to go away.
std::string DescribeReduced(const GraphCase& whole, const NativeSetting& setting);

}  // namespace culprit::tests
