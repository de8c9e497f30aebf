// SPDX-License-Identifier: Apache-2.0
//
// What index and index_put want of the tensors between the brackets, of which each takes the next dimensions
// of x: a mask as many as it has, an index one, and None leaves one out.
//
//   x[i, None, mask] = y     i below x.size(0); as many Trues as that dimension of y has elements
#pragma once

#include <vector>

#include "graph/inputs/call_arguments.h"
#include "graph/inputs/wanted_ranges.h"

namespace culprit::graph::inputs {

/// For aten::index, aten::index_put and their variants. A write has values and accumulates or not.
std::vector<WantedRange> WantedOfIndices(const CallArguments& call);

/// For what writes to places along one dimension, as scatter does: below the size there, and no place twice
/// along it.
InputRange DistinctAlong(const at::Tensor& index, int64_t dim, int64_t size);

}  // namespace culprit::graph::inputs
