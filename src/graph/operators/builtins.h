// SPDX-License-Identifier: Apache-2.0
//
// Builtins: operators of a graph on plain numbers. Most are what the text writes in Python's own syntax, and
// libtorch's dispatcher has none of them; the others ask a tensor for its sizes. Of those the dispatcher has
// some, but as operators that autograd, casts to float64 and statistics would have to know as no computation.
//
//   getitem = split[1]                               python::getitem.Tensor(split, 1)
//   add_2 = s0 + 1                                   python::add.int(s0, 1)
//   top = max(a, b)                                  python::max.int(a, b)
//   s1 = torch.ops.aten.sym_size.int(x, 0)           aten::sym_size.int(x, 0)
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

const std::vector<Builtin>& AllBuiltins();

/// Finds "python::add", "int"; null if there is none.
const Builtin* FindBuiltin(std::string_view name, std::string_view overload);

}  // namespace culprit::graph
