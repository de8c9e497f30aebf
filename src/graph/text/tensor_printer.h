// SPDX-License-Identifier: Apache-2.0
//
// Writes a tensor constant as an expression that reads back bit for bit (graph/text/tensor_expression.h).
#pragma once

#include <string>

#include "base/result.h"
#include "graph/graph.h"

namespace culprit::graph::text {

/// Fails on what numbers alone cannot express: sparse and quantised tensors.
base::Result<std::string> TensorToText(const TensorConstant& constant);

}  // namespace culprit::graph::text
