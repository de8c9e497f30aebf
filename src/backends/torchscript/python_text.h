// SPDX-License-Identifier: Apache-2.0
//
// The same program for the same compiler, as Python code without Culprit: a function that gives what
// TorchScript makes of the program.
//
//   def compiled(args):
//       class Program(torch.nn.Module):
//           def __init__(self, weight):
//               super().__init__()
//               self.weight = torch.nn.Parameter(weight, requires_grad=False)
//
//           def forward(self, x):
//               weight = self.weight
//               conv2d = torch.ops.aten.conv2d(x, weight, None, [1, 1])
//               return (conv2d,)
//       model = torch.jit.optimize_for_inference(scripted(Program(args[1]).eval()))
//       return lambda *args: model(args[0])
//   compiled.calls = 3
//   compiled.frozen = (1,)
//
// The body is what libtorch itself writes when it saves the graph that the backend compiles, so that both see
// the same operators. What only Culprit can do has no such text: switches that are off, numbers in the place
// of tensors where no overload takes them.
#pragma once

#include <optional>
#include <string>

#include "backend/backend.h"
#include "backends/torchscript/script/settings.h"
#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

/// Nothing if there is none, or if the program is too long to be read.
std::optional<std::string> PythonText(const graph::Graph& graph, const backend::Values& inputs,
                                      const ScriptSettings& settings);

}  // namespace culprit::backends::torchscript
