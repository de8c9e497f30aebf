// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/builtin_operators.h"

#include "base/internal_error.h"

namespace culprit::backends::torchscript {
namespace {

struct Row {
  std::string_view builtin;
  std::string_view torchscript;
};

// Overloads are found by the types of the operands.
constexpr Row kRows[] = {
    {"aten::sym_size", "aten::size"},
    {"aten::sym_stride", "aten::stride"},
    {"aten::sym_numel", "aten::numel"},
    {"aten::sym_storage_offset", "aten::storage_offset"},
    {"python::getitem", "aten::__getitem__"},
    {"python::add", "aten::add"},
    {"python::sub", "aten::sub"},
    {"python::mul", "aten::mul"},
    {"python::floordiv", "aten::floordiv"},
    {"python::mod", "aten::remainder"},
    {"python::pow", "aten::pow"},
    {"python::truediv", "aten::div"},
    {"python::max", "prim::max"},
    {"python::min", "prim::min"},
    {"python::neg", "aten::neg"},
    {"python::eq", "aten::eq"},
    {"python::ne", "aten::ne"},
    {"python::lt", "aten::lt"},
    {"python::le", "aten::le"},
    {"python::gt", "aten::gt"},
    {"python::ge", "aten::ge"},
    {"python::float", "aten::Float"},
    {"python::int", "aten::Int"},
    {"python::floor", "aten::floor"},
    {"python::ceil", "aten::ceil"},
    {"python::sqrt", "aten::sqrt"},
    {"python::not_", "aten::__not__"},
};

}  // namespace

std::string_view TorchScriptName(const graph::Operator& builtin) {
  for (const Row& row : kRows) {
    if (row.builtin == builtin.name()) return row.torchscript;
  }
  CULPRIT_CHECK(false, "TorchScript has no name for {}", builtin.qualified_name());
  return {};
}

}  // namespace culprit::backends::torchscript
