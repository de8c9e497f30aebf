// SPDX-License-Identifier: Apache-2.0
//
// The facts about one output of a graph.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::check {

/// Integers are exact.
using Number = std::variant<int64_t, double>;

/// Smallest, largest and mean of the finite elements, or of all elements if none is finite; of complex
/// numbers the absolute values count, and of quantised ones what they stand for. The elements that a sparse
/// tensor leaves out are zeros.
struct ElementRange {
  Number minimum;
  Number maximum;
  double mean = 0;
};

struct OutputSummary {
  /// The name of the value, or the constant as a graph writes it: 2, 'text', None.
  std::string name;
  /// torch.float32 for a tensor, else the type in Python: int, float, str, None ...
  std::string type;
  std::vector<int64_t> sizes;
  int64_t nans = 0;
  int64_t infinities = 0;
  /// Missing where there are no numbers: no elements, or no number at all.
  std::optional<ElementRange> range;
};

OutputSummary Summarise(const graph::Graph& graph, size_t index, const c10::IValue& output);

}  // namespace culprit::check
