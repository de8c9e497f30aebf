// SPDX-License-Identifier: Apache-2.0
//
// The sizes among the arguments of a call, when its operands have other sizes than they had.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::minify {

using Sizes = std::vector<int64_t>;

struct ResizedOperand {
  Sizes before;
  Sizes now;
};

/// What is known about a resized program when a call is reached.
struct ResizedCall {
  /// The tensor operands, in order of arguments; none for arguments that are no tensor.
  std::vector<std::optional<ResizedOperand>> operands;
  /// What has become of sizes so far, anywhere in the program.
  const std::map<int64_t, int64_t>& sizes;
};

/// Changes the arguments of the node.
void ResizeArguments(graph::Node& node, const ResizedCall& call);

/// The sizes of a view, when what it looks at was [before] and is [now]:
///   [8, 20, 4, 4] -> [8, 20, 2, 2]:   view [8, 320] => [8, 80]
///   [8, 768] -> [8, 96]:              view [8, 12, 64] => [8, 12, 8]
Sizes ResizedView(const ResizedOperand& operand, const Sizes& view, const std::map<int64_t, int64_t>& sizes);

}  // namespace culprit::minify
