// SPDX-License-Identifier: Apache-2.0
//
// Values from files: what torch.save() wrote (model/files/pickle_reader.h), or tensors in a store of
// Culprit's. Nothing in an archive is believed to be larger than the file.
#pragma once

#include <ATen/core/ivalue.h>

#include <string>

#include "base/result.h"

namespace culprit::model {

/// A file in the folder tensors/ of a store is its tensor, or the list of its tensors.
base::Result<c10::IValue> ReadTensorFile(const std::string& path, int64_t max_bytes);

}  // namespace culprit::model
