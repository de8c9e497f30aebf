// SPDX-License-Identifier: Apache-2.0
//
// A graph as autograd splits it: traced, simplified, and cut in two.
#pragma once

#include <memory>

#include "autograd/partition/partition.h"
#include "autograd/trace/trace.h"
#include "backend/backend.h"

namespace culprit::autograd {

struct Lowered {
  Traced traced;
  /// Without gradients the forward graph is all there is, and called an inference graph.
  Partition partition;
  /// Why it is for the sizes of these inputs alone, though the graph has symbols.
  std::string fixed;
  /// If it is for all sizes: the trace before it was simplified (autograd/trace/trace_symbols.h).
  std::shared_ptr<const Traced> general = nullptr;

  bool has_backward() const { return traced.joint.tangents > 0; }
};

/// For inputs like these, which may be fake, under the current modes. Throws Untraceable with the reason.
Lowered Lower(const graph::Graph& graph, const backend::Values& inputs, const PartitionMode& mode);

/// Without history, as graphs below autograd take them.
backend::Values WithoutHistory(const backend::Values& inputs);

/// The graph with parameters and buffers as inputs, but for those placeholders that are frozen.
graph::Graph Lifted(graph::Graph graph, const std::vector<bool>& frozen = {});

/// What a backward pass behind this forward pass may get: saved values of a run, and tangents that are random
/// numbers from a seed. The inputs are left as they are.
backend::Values ExampleForBackward(const Lowered& lowered, const backend::Values& inputs, uint64_t seed);

}  // namespace culprit::autograd
