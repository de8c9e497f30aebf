// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "graph/graph.h"

namespace culprit::compiler::passes {

/// A call that was made before with the same arguments is not made again. Calls that draw random numbers or
/// write stay, and so do two whose results both reach the caller. `applies` is asked for each.
graph::Graph MergeEqualCalls(const graph::Graph& graph, const std::function<bool()>& applies);

}  // namespace culprit::compiler::passes
