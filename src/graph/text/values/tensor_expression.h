// SPDX-License-Identifier: Apache-2.0
//
// Expressions that make a tensor constant, as register_buffer lines hold them:
//
//   torch.tensor([1.0, 2.0], dtype=torch.float64)          the data itself, nested lists
//   torch.tensor([...]).reshape((2, 3))                     what the printer writes for more dimensions
//   torch.tensor([...]).as_strided((2, 3), (1, 2), 0)       ... and for other strides
//   torch.tensor([...], dtype=torch.int32).view(torch.float32)   ... and for NaNs whose bits matter
//   torch.randn([5], dtype=torch.float32).cuda()            data that the script does not hold
//   stored('5e1f...', 4096, 305419896).view(torch.float32)  data in a store
//   torch.randn(1024, dtype=torch.float32, generator=seeded(7))   data from a seed
#pragma once

#include <ATen/core/Tensor.h>

#include "base/result.h"
#include "graph/tensors/storage_contents.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

struct TensorLiteral {
  /// On the CPU.
  at::Tensor tensor;
  /// Where the script wants it.
  at::Device device = at::kCPU;
  /// The data is not in the script; it was made up with a fixed seed.
  bool is_random = false;
  /// Why data that is in a store could not be loaded; the tensor holds zeros then.
  std::optional<base::Diagnostic> missing = std::nullopt;
  /// Where the data came from, if it was not written out.
  StorageContents contents = {};
};

struct TensorSources {
  /// Bounds data that has to be made up or loaded.
  size_t max_bytes = 0;
  /// Without it, or where it fails, data in a store is missing.
  LoadBytes load = nullptr;
};

/// Whether the expression is a call that makes a tensor, or a method of such a call.
bool MakesTensor(const ExpressionArena& arena, ExpressionId id);

base::Result<TensorLiteral> EvaluateTensor(const Source& source, const ExpressionArena& arena,
                                           ExpressionId id, const TensorSources& sources);

}  // namespace culprit::graph::text
