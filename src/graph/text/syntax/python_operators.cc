// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/python_operators.h"

#include <array>

namespace culprit::graph::text {
namespace {

struct Spelling {
  std::string_view builtin;
  std::string_view python;
};

constexpr std::array<Spelling, 13> kOperators = {{
    {"python::add", "+"},
    {"python::sub", "-"},
    {"python::mul", "*"},
    {"python::truediv", "/"},
    {"python::floordiv", "//"},
    {"python::mod", "%"},
    {"python::pow", "**"},
    {"python::eq", "=="},
    {"python::ne", "!="},
    {"python::lt", "<"},
    {"python::le", "<="},
    {"python::gt", ">"},
    {"python::ge", ">="},
}};

// The first spelling of a builtin is the one that is printed. Others are names that FX gives functions of
// modules (math_ceil), and those of symbolic expressions (Max, FloorDiv).
constexpr Spelling kFunctions[] = {
    {"python::max", "max"},
    {"python::max", "torch.sym_max"},
    {"python::max", "Max"},
    {"python::min", "min"},
    {"python::min", "torch.sym_min"},
    {"python::min", "Min"},
    {"python::float", "float"},
    {"python::float", "torch.sym_float"},
    {"python::float", "ToFloat"},
    {"python::int", "int"},
    {"python::int", "torch.sym_int"},
    {"python::int", "math.trunc"},
    {"python::int", "math_trunc"},
    {"python::int", "TruncToInt"},
    {"python::floor", "math.floor"},
    {"python::floor", "math_floor"},
    {"python::floor", "floor"},
    {"python::floor", "FloorToInt"},
    {"python::ceil", "math.ceil"},
    {"python::ceil", "math_ceil"},
    {"python::ceil", "ceiling"},
    {"python::ceil", "CeilToInt"},
    {"python::sqrt", "math.sqrt"},
    {"python::sqrt", "math_sqrt"},
    {"python::sqrt", "torch._sym_sqrt"},
    {"python::sqrt", "torch.sym_sqrt"},
    {"python::not_", "operator.not_"},
    {"python::not_", "torch.sym_not"},
    {"python::add", "torch.sym_sum"},
    {"python::getitem", "operator.getitem"},
    {"python::add", "operator.add"},
    {"python::sub", "operator.sub"},
    {"python::mul", "operator.mul"},
    {"python::truediv", "operator.truediv"},
    {"python::floordiv", "operator.floordiv"},
    {"python::floordiv", "FloorDiv"},
    {"python::mod", "operator.mod"},
    {"python::mod", "Mod"},
    {"python::mod", "PythonMod"},
    {"python::pow", "operator.pow"},
    {"python::neg", "operator.neg"},
    {"python::eq", "operator.eq"},
    {"python::ne", "operator.ne"},
    {"python::lt", "operator.lt"},
    {"python::le", "operator.le"},
    {"python::gt", "operator.gt"},
    {"python::ge", "operator.ge"},
    {"python::max", "sym_max"},
    {"python::min", "sym_min"},
    {"python::truediv", "IntTrueDiv"},
    {"python::truediv", "FloatTrueDiv"},
    {"python::floordiv", "CleanDiv"},
    {"python::pow", "PowByNatural"},
};

}  // namespace

std::string_view BuiltinOfOperator(std::string_view symbol) {
  for (const Spelling& row : kOperators) {
    if (row.python == symbol) return row.builtin;
  }
  return {};
}

std::string_view BuiltinOfFunction(std::string_view function) {
  if (function.starts_with("_operator.")) function.remove_prefix(1);
  for (const Spelling& row : kFunctions) {
    if (row.python == function) return row.builtin;
  }
  return {};
}

bool IsRound(std::string_view function) {
  return function == "round" || function == "math_round" || function == "RoundToInt";
}

std::string_view SymbolOfBuiltin(std::string_view builtin) {
  for (const Spelling& row : kOperators) {
    if (row.builtin == builtin) return row.python;
  }
  return {};
}

std::string_view FunctionOfBuiltin(std::string_view builtin) {
  for (const Spelling& row : kFunctions) {
    if (row.builtin == builtin) return row.python;
  }
  return {};
}

}  // namespace culprit::graph::text
