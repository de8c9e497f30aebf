// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "hunt/sources.h"

namespace culprit::hunt {

struct GuiltyOperator {
  std::string name;
  /// "aten::hardswish".
  std::string operator_name;
  /// sources.h; empty if it is not known.
  std::string source;
};

/// All that are left: each was seen to be needed.
std::vector<GuiltyOperator> GuiltyOf(const graph::Graph& graph, const Sources& sources);

}  // namespace culprit::hunt
