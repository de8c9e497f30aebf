// SPDX-License-Identifier: Apache-2.0
//
// The graph's invariants:
//   - names are Python identifiers, unique, and none of the words the text form needs for itself;
//   - a value is used only behind its definition;
//   - every node has one argument in normal form (graph/ir/bind.h) per slot;
//   - outputs are values or constants, not lists.
#pragma once

#include "base/result.h"
#include "graph/ir/graph.h"

namespace culprit::graph {

base::Status Verify(const Graph& graph);

/// Throws InternalError naming the pass if the graph is invalid. In builds without CULPRIT_VERIFY_PASSES it
/// does nothing; `when` is "before" or "behind".
void VerifyPass(const Graph& graph, const char* when, const char* pass);

/// Whether a value may have this name.
bool IsValidName(std::string_view name);

}  // namespace culprit::graph
