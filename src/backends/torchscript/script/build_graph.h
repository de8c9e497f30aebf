// SPDX-License-Identifier: Apache-2.0
//
// A graph as TorchScript would write it:
//
//   forward(x, w)                             graph(%x : Tensor, %w : Tensor):
//   add = aten::add.Tensor(x, w, 2)             %2 : int = prim::Constant[value=2]()
//   mul = aten::mul.Tensor(add, 0.5)            %add : Tensor = aten::add(%x, %w, %2)
//   return (mul,)                        =>     %4 : float = prim::Constant[value=0.5]()
//                                               %mul : Tensor = aten::mul(%add, %4)
//                                               %6 : (Tensor) = prim::TupleConstruct(%mul)
//                                               return (%6)
//
// TorchScript finds overloads by the types of the operands. A number in the place of a tensor is an operand
// of the overload that takes numbers; where there is none, it is a tensor that does not take part in type
// promotion. Where None stands for two things that overloads take, it says for which. Operators with several
// names (clip, clamp) get the one that passes know. Each node carries its line of the graph, which errors
// then show.
//
// Two kinds of constants cannot be constants there: bools in the place of a Scalar, and tensors that nodes
// write into, which every run has to find unchanged. They become inputs behind the placeholders.
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>

#include "backend/backend.h"
#include "graph/ir/graph.h"

namespace culprit::backends::torchscript {

struct BuiltGraph {
  std::shared_ptr<torch::jit::Graph> graph;
  /// For the inputs behind the placeholders; a run may write into them, so each gets copies.
  backend::Values more_inputs;
};

/// Inputs say which placeholders are None. Throws backend::Refusal on a call that TorchScript does not
/// have.
BuiltGraph BuildGraph(const graph::Graph& graph, const backend::Values& inputs);

}  // namespace culprit::backends::torchscript
