// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/configuration.h"
#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

/// Raises what the table knows (backends/torchscript/raise/raise_table.h). Every node that can be raised is
/// one application of its row's switch.
graph::Graph Raise(const graph::Graph& graph, backend::SwitchBoard& switches);

}  // namespace culprit::backends::torchscript
