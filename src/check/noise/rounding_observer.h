// SPDX-License-Identifier: Apache-2.0
//
// Makes a run of a graph one whose every rounding step is off by a unit in the last place. Its results are as
// good as eager's, so how far they are from eager's is noise, however it came about: numbers that cancel,
// inputs of a ReLU within rounding of 0, products that are rounded once instead of twice.
//
//   a * b - a * b     0 in eager, and a unit in the last place of a * b where a compiler fuses them
//
// A sum of many numbers is off by some more units: each order of additions rounds at other places.
#pragma once

#include <set>
#include <string_view>

#include "check/model/model.h"
#include "graph/run/interpreter.h"

namespace culprit::check {

enum class Exactness {
  /// It moves, selects, compares or makes numbers, and rounds none.
  kAlways,
  /// Whole numbers are exact, as sums and products of such are: counts, masks, places.
  kWholeNumbers,
  /// A function whose values are irrational; where they are 1, they were rounded to 1.
  kNever,
};
Exactness ExactnessOf(std::string_view op);

class RoundingObserver : public graph::Observer {
 public:
  RoundingObserver(const graph::Graph& graph, RoundingTrial& rounding) : graph_(graph), rounding_(rounding) {}

  void Before(graph::NodeId id, const torch::jit::Stack& arguments) override;
  void After(graph::NodeId id, const torch::jit::Stack& results) override;

 private:
  void Round(const at::Tensor& result, bool keep_integers);

  const graph::Graph& graph_;
  RoundingTrial& rounding_;
  uint64_t steps_ = 0;
  // Of the arguments of the call: what lies there is a view, and was rounded before.
  std::set<const c10::StorageImpl*> known_;
  // The one with the most elements.
  at::Tensor largest_;
};

}  // namespace culprit::check
