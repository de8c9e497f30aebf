// SPDX-License-Identifier: Apache-2.0
//
// A graph that is watched, as it was before a compiler saw it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/backend.h"
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
  WatchedGraph(const graph::Graph& source, Point at, repro::Header how,
               std::shared_ptr<backend::Compiled> original_program = nullptr);

  /// Without a compiler.
  backend::Values RunAsWritten(backend::Values inputs,
                               std::optional<graph::Interruption>* interruption = nullptr) const;

  Point point;
  graph::Graph graph;
  graph::Interpreter interpreter;
  /// What the program itself would run, where that is not the graph: then the graph computes the same, and is what
  /// a repro can hold. Null if it is the graph.
  std::shared_ptr<backend::Compiled> original;
  repro::Header header;
  /// By placeholder.
  std::vector<bool> written;
  bool draws_random = false;
};

}  // namespace culprit::watch
