// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/ir/graph.h"
#include "repro/header/header.h"

namespace culprit::repro {

/// A file that names neither parameters nor buffers would leave their choice to whoever reads it, so its
/// header says if there are none.
void NoteParameters(const graph::Graph& graph, Header& header);

}  // namespace culprit::repro
