// SPDX-License-Identifier: Apache-2.0
//
// Builtins: what a graph's text writes in Python's own syntax instead of as a call of an operator.
//
//   getitem = split[1]          python::getitem.Tensor(split, 1)
//   add_2 = s0 + 1              python::add.int(s0, 1)
//   top = torch.sym_max(a, b)   python::max.int(a, b)
//
// And the operators that ask a tensor for its geometry (aten::sym_size and its kin), which libtorch 1.13 has
// for TorchScript and Python, but not in the dispatcher.
//
// Arithmetic follows Python: // and % round towards minus infinity, / gives a float, overflow is an error.
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <string_view>
#include <vector>

namespace culprit::graph {

struct Builtin {
  const c10::FunctionSchema& schema;
  void (*function)(torch::jit::Stack&);
};

/// Finds "python::add", "int" or "aten::sym_size", "int"; null if there is none.
const Builtin* FindBuiltin(std::string_view name, std::string_view overload);

/// The names of those that are written as operators are: aten::sym_size and its kin.
std::vector<c10::OperatorName> BuiltinsWrittenAsOperators();

}  // namespace culprit::graph
