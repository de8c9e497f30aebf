// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// The arguments of a call that have to be written down: the others are defaults.
struct NeededArguments {
  /// So many from the first on, up to the last one that is none.
  size_t positions = 0;
  /// Those that follow as keywords, by index.
  std::vector<size_t> keywords;
};

NeededArguments NeededArgumentsOf(const Node& node);

}  // namespace culprit::graph
