// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/sizes/generalise/generalise.h"

namespace culprit::graph::sizes {

/// Finds out how the sizes of the node's results depend on symbols, for operators whose sizes follow a
/// formula: convolution, pooling, concatenation, slices, padding. What a program decides by such sizes can
/// then be guarded.
void LearnFormulas(const std::vector<const SizedGraph*>& worlds, NodeId node, Numbers& numbers);

}  // namespace culprit::graph::sizes
