// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "graph/ir/graph.h"

namespace culprit::compiler::passes {

/// Calls whose arguments are all known are made now, and their results are constants. Calls that draw random
/// numbers or write stay, those whose results reach the caller, who may write into them, and those that would
/// make much more memory than they take. A call that throws is left for the run. `applies` is asked for each.
graph::Graph FoldConstants(const graph::Graph& graph, const std::function<bool()>& applies);

}  // namespace culprit::compiler::passes
