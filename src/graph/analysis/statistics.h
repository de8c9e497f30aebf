// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "graph/ir/graph.h"

namespace culprit::graph {

struct Statistics {
  /// Calls of dispatcher operators; builtins (x[i], arithmetic on sizes) are counted apart.
  size_t operators = 0;
  size_t builtins = 0;
  std::map<std::string, size_t> calls_by_operator;
  size_t inputs = 0;
  size_t parameters = 0;
  size_t buffers = 0;
  size_t tensor_constants = 0;
  size_t constant_bytes = 0;
  size_t outputs = 0;
  /// Values that nothing uses and that are no outputs.
  size_t unused_values = 0;
  /// The longest chain of operators, each using a result of the one before.
  size_t depth = 0;
  size_t random_operators = 0;
  size_t mutating_operators = 0;
};

Statistics ComputeStatistics(const Graph& graph);

}  // namespace culprit::graph
