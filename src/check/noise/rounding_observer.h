// SPDX-License-Identifier: Apache-2.0
//
// Makes a run of a graph one whose every rounding step is off by a unit in the last place. Its results are as
// good as eager's, so how far they are from eager's is noise, however it came about: numbers that cancel,
// inputs of a ReLU within rounding of 0, products that are rounded once instead of twice.
//
//   a * b - a * b     0 in eager, and a unit in the last place of a * b where a compiler fuses them
//
// A sum of many numbers is off by some more units: each order of additions rounds at other places. What was
// not rounded stays: exact_elements.h.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "check/model/model.h"
#include "check/noise/exact_elements.h"
#include "check/noise/move_at_use.h"
#include "graph/run/interpreter.h"

namespace culprit::check {

class RoundingObserver : public graph::Observer {
 public:
  /// The copies are those of a MovableGraph, or none.
  RoundingObserver(const graph::Graph& graph, RoundingTrial& rounding, std::vector<MovedCopy> copies = {})
      : graph_(graph), rounding_(rounding), copies_(std::move(copies)) {}

  void Before(graph::NodeId id, const torch::jit::Stack& arguments) override;
  void After(graph::NodeId id, const torch::jit::Stack& results) override;

 private:
  bool IsExact(const graph::Node& node) const;
  void Round(const at::Tensor& result, bool keep_integers);
  void Move(const at::Tensor& copy, bool keep_integers);
  uint64_t Pattern() const;
  MovedCopy CopyAt(graph::NodeId id) const;

  const graph::Graph& graph_;
  RoundingTrial& rounding_;
  const std::vector<MovedCopy> copies_;
  uint64_t steps_ = 0;
  // Of the arguments of the call: what lies there is a view, and was rounded before.
  std::set<const c10::StorageImpl*> known_;
  // The one with the most elements.
  at::Tensor largest_;
  std::optional<ExactElements> exact_;
  bool adds_up_ = false;
};

}  // namespace culprit::check
