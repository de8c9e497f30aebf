// SPDX-License-Identifier: Apache-2.0
//
// Reads the tensor constants of a script from its __init__; everything else there is passed over.
//
//   self.register_buffer('_tensor_constant0', torch.tensor(2.0))
//   self._param_constant0 = torch.nn.Parameter(torch.randn([5]))
//   self._tensor_constant1 = torch.tensor([1.0])
//   self.register_buffer('_tensor_constant2', None)                 a constant without data
//   self.fw_graph0 = <lambda>()                                     not Python: a graph, as PyTorch prints it
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/source.h"
#include "graph/text/values/tensor_expression.h"

namespace culprit::graph::text {

struct DeclaredConstant {
  std::string name;
  /// Missing if the script gives none.
  std::optional<TensorLiteral> data;
  size_t offset = 0;
  /// Of what is not Python. Who calls it is refused by name, which says more.
  std::optional<base::Diagnostic> problem = {};
};

/// `init` is the offset of the function. The sources' bound is for all constants together. An attribute that
/// is not among the `needed` may be anything.
base::Result<std::vector<DeclaredConstant>> ReadConstants(const Source& source, size_t init,
                                                          TensorSources sources,
                                                          const std::unordered_set<std::string_view>& needed);

}  // namespace culprit::graph::text
