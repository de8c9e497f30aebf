// SPDX-License-Identifier: Apache-2.0
//
// The inputs and constants of a repro as C++. Inputs that share memory name the same storage:
//
//   const c10::Storage storage0 = Memory(24, Numbers<float>(at::kFloat,
//   {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F})); const at::Tensor x = On(storage0, at::kFloat, {2, 3}, {3, 1}, 0);
//   const at::Tensor y = On(storage0, at::kFloat, {3}, {1}, 3);
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::repro {

/// Two-space indented lines that define a variable for each placeholder. The contents of all storages must be
/// known.
std::string CppInputs(const graph::Graph& graph, const graph::InputSpecs& specs,
                      const std::vector<std::string>& names);

/// An expression for a constant; `contents` is where its data is, if it is not written out. Sparse and
/// quantised constants are an error.
base::Result<std::string> CppTensorConstant(const graph::TensorConstant& constant,
                                            const graph::StorageContents& contents);

}  // namespace culprit::repro
