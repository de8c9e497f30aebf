// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "graph/ir/graph.h"

namespace culprit::compiler::lower {

/// What every value of the graph is for such inputs: fake tensors, and numbers. Throws NotLowerable.
std::vector<c10::IValue> RunOnFakes(const graph::Graph& graph, const std::vector<c10::IValue>& inputs);

}  // namespace culprit::compiler::lower
