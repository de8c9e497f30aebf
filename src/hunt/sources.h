// SPDX-License-Identifier: Apache-2.0
//
// Where an operator comes from, for people: the line of the file, and what a comment of PyTorch's above it
// says about the line of the model:
//
//   net.py:50 (model.py:34 in forward, code: x = self.conv(x))
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace culprit::hunt {

/// By the name of the node (minify/node_names.h).
using Sources = std::map<std::string, std::string>;

/// `node_lines` as in graph::text::Script; `text` is the file, or empty if it cannot be read again.
Sources SourcesOf(const graph::Graph& graph, const std::vector<uint32_t>& node_lines, const std::string& file,
                  std::string_view text);

}  // namespace culprit::hunt
