// SPDX-License-Identifier: Apache-2.0
//
// What is made smaller: a graph with the inputs it fails on.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::minify {

struct Program {
  graph::Graph graph;
  /// One per placeholder; they are looked at and never written into.
  std::vector<c10::IValue> inputs;
};

}  // namespace culprit::minify
