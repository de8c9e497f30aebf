// SPDX-License-Identifier: Apache-2.0
//
// Watches a run of a graph, on numbers or on fakes, and notes what its operators want of the inputs and
// constants whose elements they get (wanted_ranges.h). It follows these through operators that only move
// elements: views, copies, casts.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "graph/inputs/find_ranges.h"
#include "graph/run/interpreter.h"

namespace culprit::graph::inputs {

class RangeFinder : public Observer {
 public:
  /// Ends the run with an exception where the operators have read and made more than `most_bytes`.
  explicit RangeFinder(const Graph& graph, int64_t most_bytes = INT64_MAX);

  void Before(NodeId id, const torch::jit::Stack& arguments) override;
  void After(NodeId id, const torch::jit::Stack& results) override;

  FoundRanges TakeRanges() const;

 private:
  void FollowMoves(const Node& node);
  void Count(const torch::jit::Stack& values);

  const Graph& graph_;
  int64_t bytes_left_;
  // By value: the placeholders and constants whose elements it holds.
  std::vector<std::set<size_t>> roots_;
  // Those of the placeholders, then those of the constants.
  InputRanges ranges_;
};

}  // namespace culprit::graph::inputs
