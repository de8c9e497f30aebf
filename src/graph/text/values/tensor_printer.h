// SPDX-License-Identifier: Apache-2.0
//
// Writes a tensor constant as an expression that reads back bit for bit
// (graph/text/values/tensor_expression.h).
#pragma once

#include <string>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/storage_contents.h"

namespace culprit::graph::text {

/// Fails on what numbers alone cannot express: sparse and quantised tensors. With `contents` the data is not
/// written out: the tensor's memory, from its first to its last element, is what they say.
base::Result<std::string> TensorToText(const TensorConstant& constant, const StorageContents& contents = {});

/// Whether literals cannot say the numbers of a vector: a NaN has other bits than those that C++ and Python
/// give one, an integer is larger than an int64, or no kernel makes such numbers (graph/tensors/dtypes.h).
bool IsWrittenAsBits(const at::Tensor& flat);
/// For dtypes of up to eight bytes.
at::ScalarType IntOfSameSize(at::ScalarType dtype);

}  // namespace culprit::graph::text
