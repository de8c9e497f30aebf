// SPDX-License-Identifier: Apache-2.0
//
// TorchScript as text. A file without classes holds functions, as torch.jit.script compiles them; the names
// of operators are torch.relu and so on:
//
//   def helper(x: Tensor) -> Tensor:
//       return torch.relu(x)
//   def forward(x: Tensor, n: int) -> Tensor:
//       return helper(x) * n
//
// With classes it is the dialect that archives hold (code/__torch__.py). Types and functions of the file are
// written with the prefix __torch__, `self` has its type, and the model is the last class that is a Module.
// The values of attributes stand behind them as comments, in the form of model/inputs/input_text.h:
//
//   class Layer(Module):
//     __parameters__ = ["weight", ]
//     __buffers__ = ["calls", ]
//     weight : Tensor  # = f32[4,3]:grad
//     calls : Tensor  # = i64[]=0
//     scale : float  # = 0.5
//     def forward(self: __torch__.Layer, x: Tensor) -> Tensor:
//       return torch.linear(x, self.weight) * self.scale
//   class Net(Module):
//     layer : __torch__.Layer
//     def forward(self: __torch__.Net, x: Tensor) -> Tensor:
//       return (self.layer).forward(x)
//
// Attributes that are modules or other objects are made from their own classes. Without a value an Optional
// is None and `training` is False; all others need one.
#pragma once

#include <string>

#include "base/result.h"
#include "model/load_model.h"

namespace culprit::model {

base::Result<LoadedModel> LoadSource(const std::string& path, const std::string& text,
                                     const LoadOptions& options);

}  // namespace culprit::model
