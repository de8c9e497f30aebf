// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/sizes/generalise/generalise.h"

namespace culprit::graph::sizes {

/// Adds the numbers that a graph computes from the sizes of its placeholders.
void LearnNumbers(const Graph& graph, const std::vector<SymbolPlace>& places, Numbers& numbers);

}  // namespace culprit::graph::sizes
