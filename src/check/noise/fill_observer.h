// SPDX-License-Identifier: Apache-2.0
//
// Fills memory that operators hand out without having written it, so that a run is always the same, and so
// that runs with several fillings tell which results depend on it:
//
//   empty(4)            [nan nan nan nan]   [-1e10 ...]   [3e9 ...]   [0 ...]
//   x.resize_(6)        what was not there before
#pragma once

#include <map>
#include <string_view>

#include "check/model/model.h"
#include "graph/ir/graph.h"
#include "graph/run/interpreter.h"

namespace culprit::check {

/// Whether some result of the operator may be memory that nobody has written.
bool LeavesMemoryUnwritten(std::string_view op);
bool LeavesMemoryUnwritten(const graph::Graph& graph);

class FillObserver : public graph::Observer {
 public:
  FillObserver(const graph::Graph& graph, Filling filling) : graph_(graph), filling_(filling) {}

  void Before(graph::NodeId id, const torch::jit::Stack& arguments) override;
  void After(graph::NodeId id, const torch::jit::Stack& results) override;

 private:
  const graph::Graph& graph_;
  Filling filling_;
  // Bytes that the arguments of the call had already.
  std::map<const c10::StorageImpl*, size_t> known_;
};

}  // namespace culprit::check
