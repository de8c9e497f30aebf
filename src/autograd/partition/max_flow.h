// SPDX-License-Identifier: Apache-2.0
//
// Maximum flow, and with it the cheapest set of edges that cuts a sink off from a source: Dinic's algorithm
// (shortest augmenting paths, in phases). Exact: capacities are integers. Edges of capacity kInfinite are
// never cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace culprit::autograd {

class FlowNetwork {
 public:
  /// Finite capacities must stay below it in sum.
  static constexpr int64_t kInfinite = int64_t{1} << 60;

  size_t AddNode();
  void AddEdge(size_t from, size_t to, int64_t capacity);

  /// What flows at most, which is what the cheapest cut costs; kInfinite if there is no cut. Once.
  int64_t Maximize(size_t source, size_t sink);
  /// After Maximize(): the nodes behind the cheapest cut; of several, behind the one nearest to the sink. An
  /// edge is cut if it leads to one of them from a node that is none.
  std::vector<bool> BehindCut(size_t sink) const;

 private:
  struct Edge {
    size_t to = 0;
    /// How much more it can take.
    int64_t residual = 0;
  };
  /// Those of an edge and its reverse differ in the last bit.
  using EdgeId = size_t;

  bool MeasureDistances(size_t source, size_t sink);
  int64_t Augment(size_t source, size_t sink);
  std::optional<EdgeId> NextEdge(size_t node);
  int64_t Push(const std::vector<EdgeId>& path);

  std::vector<Edge> edges_;
  std::vector<std::vector<EdgeId>> edges_of_;
  /// Of a phase: from the source, kFar where no flow gets; and the first edge that may still lead on.
  std::vector<size_t> distance_;
  std::vector<size_t> next_;

  static constexpr size_t kFar = SIZE_MAX;
};

}  // namespace culprit::autograd
