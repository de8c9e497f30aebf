// SPDX-License-Identifier: Apache-2.0
//
// PyTorch's comments about the model that a graph was captured from. One holds for the nodes behind it, until
// the next one:
//
//   # File: net.py:12 in forward, code: x = self.conv(x)
//   convolution = torch.ops.aten.convolution.default(...)
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::graph::text {

/// `function` is the text from the graph's function on, which begins in line `first_line`; `node_lines` as in
/// Script.
void ReadModelLines(std::string_view function, uint32_t first_line, const std::vector<uint32_t>& node_lines,
                    Graph& graph);

}  // namespace culprit::graph::text
