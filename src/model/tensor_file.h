// SPDX-License-Identifier: Apache-2.0
//
// Values from files: what torch.save() wrote, or tensors in a store of Culprit's. The pickle in PyTorch's
// files is read by libtorch, which knows tensors, numbers, strings and containers, and calls nothing that the
// file names. The archive around it is checked before: nothing in it claims more than the file holds.
#pragma once

#include <ATen/core/ivalue.h>

#include <string>

#include "base/result.h"

namespace culprit::model {

/// A file in the folder tensors/ of a store is its tensor, or the list of its tensors.
base::Result<c10::IValue> ReadTensorFile(const std::string& path, int64_t max_bytes);

}  // namespace culprit::model
