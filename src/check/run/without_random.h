// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/passes/hoist_random.h"

namespace culprit::check {

bool DrawsRandomNumbers(const graph::Graph& graph);

/// The graph with what its random operators draw in eager as further inputs, from the present state of the
/// generator. Refuses, by name, what cannot be replaced. The inputs are left as they are.
base::Result<graph::HoistedGraph> WithoutRandomOperators(const graph::Graph& graph,
                                                         const std::vector<c10::IValue>& inputs);

}  // namespace culprit::check
