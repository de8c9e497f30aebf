// SPDX-License-Identifier: Apache-2.0
//
// Where an operator comes from, for people: the line of the file, and the line of the model, if it is known:
//
//   net.py:50 (model.py:34 in forward, code: x = self.conv(x))
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::hunt {

/// By the name of the node (minify/program/node_names.h).
using Sources = std::map<std::string, std::string>;

/// `node_lines` as in graph::text::Script. Without a file only the lines of the model are told.
Sources SourcesOf(const graph::Graph& graph, const std::vector<uint32_t>& node_lines,
                  const std::string& file);

}  // namespace culprit::hunt
