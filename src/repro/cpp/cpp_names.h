// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::repro {

/// For every value of the graph, by its id, the name of its variable in C++: its own, unless C++, libtorch or
/// the program around it use that; then another number behind it, as in int_1.
std::vector<std::string> CppNames(const graph::Graph& graph);

}  // namespace culprit::repro
