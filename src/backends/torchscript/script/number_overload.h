// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

/// The operator for a call with numbers in the place of tensors: the overload that differs just in taking
/// them, as in
///   aten::mul.Tensor(x, 2.0)   =>   aten::mul.Scalar(x, 2.0)
/// or the node's own if there is none, or if it has no such numbers.
const graph::Operator& WithNumbers(const graph::Graph& graph, const graph::Node& node);

}  // namespace culprit::backends::torchscript
