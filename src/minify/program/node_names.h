// SPDX-License-Identifier: Apache-2.0
//
// Names of nodes survive edits, indices do not: a node is named after its first result, or after its operator
// and place if it has none.
#pragma once

#include <string>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::minify {

/// One per node.
std::vector<std::string> NodeNames(const graph::Graph& graph);

}  // namespace culprit::minify
