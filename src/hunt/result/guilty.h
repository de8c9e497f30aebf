// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/ir/graph.h"
#include "hunt/result/sources.h"

namespace culprit::hunt {

struct GuiltyOperator {
  std::string name;
  /// "aten::hardswish".
  std::string operator_name;
  /// sources.h, and which operator stood there if it was replaced by a simpler one; empty if it is not known.
  std::string source;
  /// The module of the model that it belongs to: "features.4.block.2"; empty if it is not known.
  std::string module = {};
};

/// All operators that are left of the original.
std::vector<GuiltyOperator> GuiltyOf(const graph::Graph& graph, const graph::Graph& original,
                                     const Sources& sources);

}  // namespace culprit::hunt
