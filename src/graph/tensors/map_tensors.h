// SPDX-License-Identifier: Apache-2.0
//
// A value with its tensors replaced, wherever they are in it:
//
//   (x, [y, 3], {'z': z})   =>   (f(x), [f(y), 3], {'z': f(z)})
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/FunctionRef.h>

namespace culprit::graph {

/// Lists, tuples and dicts become new ones of the same type. Everything else is shared with the original,
/// TorchScript objects and what is in them included.
c10::IValue MapTensors(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> function);

}  // namespace culprit::graph
