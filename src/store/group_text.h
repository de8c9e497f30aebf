// SPDX-License-Identifier: Apache-2.0
//
// A group of tensors as text, for the files in tensors/ of a store:
//
//   culprit tensors 1
//   storage 2d4b... 48 cpu Float
//   storage - 16 meta Long
//   plain Float storage=0 offset=0 sizes=3,4 strides=4,1 flags=requires_grad,leaf
//   per_tensor scale=0.5 zero_point=3
//   part QInt8 storage=2 offset=0 sizes=2 strides=1 flags=leaf
//   per_channel axis=1                                followed by the parts tensor, scales, zero points
//   sparse sizes=4,5 flags=coalesced,leaf             followed by the parts indices, values
//   end 5f3a...                                       the hash of all that stands before
//
// dtypes are spelled as libtorch does, a storage ends with the dtype of the first tensor on it. A group has
// exactly one text: whatever differs from it by a blank or a leading zero is refused, so that nothing that
// was read can change by being written. The last line finds files that were cut off or altered.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/tensors/tensor_group.h"

namespace culprit::store {

std::string PrintGroup(const graph::TensorGroup& group);

/// Takes time and memory in proportion to the text. The group is valid (graph::CheckGroup). `path` is for
/// messages.
base::Result<graph::TensorGroup> ParseGroup(const std::string& path, std::string_view text);

}  // namespace culprit::store
