// SPDX-License-Identifier: Apache-2.0
//
// What names mean in a source text of functions, beyond Python's own functions, which libtorch knows: torch
// with all operators, dtypes and memory formats (torch.relu, torch.float32, torch.channels_last), those of
// other libraries too (torch.ops.torchvision.nms), the exceptions that Python has, and annotate(), as in
// torch.jit.annotate.
#pragma once

#include <torch/csrc/jit/frontend/resolver.h>

namespace culprit::model {

torch::jit::ResolverPtr FunctionResolver();

}  // namespace culprit::model
