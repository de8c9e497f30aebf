// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "graph/ir/graph.h"

namespace culprit::compiler::passes {

struct Merged {
  graph::Graph graph;
  /// By the name of a value that is gone: the name of the one that stands for it.
  std::map<std::string, std::string> merged_into;
};

/// A call that was made before with the same arguments is not made again. Calls that draw random numbers or
/// write stay, and so do two whose results both reach the caller. `applies` is asked for each.
Merged MergeEqualCalls(const graph::Graph& graph, const std::function<bool()>& applies);

}  // namespace culprit::compiler::passes
