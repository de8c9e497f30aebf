// SPDX-License-Identifier: Apache-2.0
//
// The Python spellings of the builtins (graph/operators/builtins.h): operators, functions, and how they are
// printed.
#pragma once

#include <string_view>

namespace culprit::graph::text {

/// "+" -> "python::add"; empty if the operator has no builtin.
std::string_view BuiltinOfOperator(std::string_view symbol);

/// "operator.add", "torch.sym_max", "math.floor", "Max" -> "python::..."; empty if unknown.
std::string_view BuiltinOfFunction(std::string_view function);

/// round, as Python and FX write it: half to even. No builtin (graph/text/calls/round_size.h).
bool IsRound(std::string_view function);

/// "python::add" -> "+", for builtins that are printed between their operands; otherwise empty.
std::string_view SymbolOfBuiltin(std::string_view builtin);

/// "python::max" -> "torch.sym_max", for builtins that are printed as a call; otherwise empty.
std::string_view FunctionOfBuiltin(std::string_view builtin);

}  // namespace culprit::graph::text
