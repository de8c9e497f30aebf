// SPDX-License-Identifier: Apache-2.0
//
// Casting a graph to float64, to learn what the exact result would be.
//
//   full([2], 0.5)                =>   full([2], 0.5, dtype=float64)    a factory with the default dtype
//   _to_copy(x, dtype=bfloat16)   =>   _to_copy(x, dtype=float64)       every dtype argument
//   _softmax(x, 1, True)          =>   _softmax(x, 1, False)            half_to_float
//   tensor constants, inputs      =>   float64; complex ones complex128
//
// What an operator makes of integers is decided by the default dtype at run time (3 / 2 on integer tensors,
// an integer tensor times 0.5): run the cast graph under an Fp64Scope.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"

namespace culprit::graph {

/// What becomes of tensors of this dtype.
at::ScalarType Widened(at::ScalarType dtype);

/// Refused by name: operators that draw random numbers (graph/passes/hoist_random.h comes first) and those
/// that reinterpret bits. Operators that copy only what has another dtype would no longer copy
/// (graph/passes/explicit_copies.h comes first).
base::Result<Graph> CastToFp64(const Graph& graph);

/// Copies of the inputs for the cast graph: strides are kept, and tensors that share memory share it again.
/// Refused are tensors that read the same memory as different dtypes: in float64 they cannot share it.
base::Result<std::vector<c10::IValue>> CastInputsToFp64(const std::vector<c10::IValue>& inputs);

/// Makes float64 the default dtype of the whole process while it lives.
class Fp64Scope {
 public:
  Fp64Scope();
  ~Fp64Scope();
  Fp64Scope(const Fp64Scope&) = delete;
  Fp64Scope& operator=(const Fp64Scope&) = delete;

 private:
  caffe2::TypeMeta former_;
};

}  // namespace culprit::graph
