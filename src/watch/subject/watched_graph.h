// SPDX-License-Identifier: Apache-2.0
//
// A graph that is watched, as it was before a compiler saw it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/run/interpreter.h"
#include "repro/header/header.h"

namespace culprit::watch {

/// Where a program is watched.
enum class Point : uint8_t {
  /// The graph as it was captured: compiled and run once, forward and backward, before it is used.
  kCapture,
  /// Each graph that the compiler itself gets; behind autograd these are forward, backward and inference.
  kAot,
};

struct WatchedGraph {
  /// Keeps a copy of the graph, constants included. The header says which compiler, and how its results are
  /// judged.
  WatchedGraph(const graph::Graph& source, Point at, repro::Header how);

  Point point;
  graph::Graph graph;
  graph::Interpreter as_written;
  repro::Header header;
  /// By placeholder.
  std::vector<bool> written;
  bool draws_random = false;
};

}  // namespace culprit::watch
