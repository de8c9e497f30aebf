// SPDX-License-Identifier: Apache-2.0
//
// A number where an operator takes a tensor: aten::add.Tensor(x, 2). It becomes a tensor without dimensions, which libtorch
// knows to be a number, so that it does not change the dtype of the result. Python's torch.ops does the same.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace culprit::graph {

at::Tensor WrappedNumber(const c10::IValue& number);

}  // namespace culprit::graph
