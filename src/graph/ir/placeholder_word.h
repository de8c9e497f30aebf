// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "graph/ir/graph.h"

namespace culprit::graph {

/// "input", "parameter" or "buffer".
std::string_view ToString(PlaceholderKind kind);

}  // namespace culprit::graph
