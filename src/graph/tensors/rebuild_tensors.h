// SPDX-License-Identifier: Apache-2.0
//
// The opposite of describe_tensors.h. Groups may come from strangers: a tensor that reaches beyond its
// storage, indices beyond the sizes, scales that do not fit the axis are errors, not reads of other memory.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/result.h"
#include "graph/tensors/tensor_group.h"

namespace culprit::graph {

/// Whether the tensors of the group fit its storages.
base::Status CheckGroup(const TensorGroup& group);

/// The tensors over these storages, one per storage of the group and of the size it says; they share the
/// memory. Each is where its storage is, whatever device the group names. A tensor that was not a leaf has a
/// history again (graph/tensors/gradness.h).
base::Result<std::vector<at::Tensor>> RebuildTensors(const TensorGroup& group,
                                                     const std::vector<c10::Storage>& contents);

}  // namespace culprit::graph
