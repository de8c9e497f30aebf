// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::compiler::passes {

/// By value: whether memory of it may reach the caller, as an output or as part of one. Two of these have to
/// stay two, since the caller may write into one of them.
std::vector<bool> EscapingValues(const graph::Graph& graph);

}  // namespace culprit::compiler::passes
