// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_builtin.h"

#include <fmt/format.h>

#include <string_view>

#include "base/internal_error.h"

namespace culprit::repro {
namespace {

struct Row {
  std::string_view builtin;
  /// {0} and {1} are the arguments.
  std::string_view expression;
};

constexpr Row kRows[] = {
    {"aten::sym_size", "{0}.sizes().vec()"},
    {"aten::sym_size.int", "{0}.size({1})"},
    {"aten::sym_stride", "{0}.strides().vec()"},
    {"aten::sym_stride.int", "{0}.stride({1})"},
    {"aten::sym_numel", "{0}.numel()"},
    {"aten::sym_storage_offset", "{0}.storage_offset()"},
    {"python::getitem.Tensor", "At({0}, {1})"},
    {"python::getitem.int", "At({0}, {1})"},
    {"python::add.int", "Add({0}, {1})"},
    {"python::sub.int", "Subtract({0}, {1})"},
    {"python::mul.int", "Multiply({0}, {1})"},
    {"python::floordiv.int", "FloorDivide({0}, {1})"},
    {"python::mod.int", "Modulo({0}, {1})"},
    {"python::pow.int", "Power({0}, {1})"},
    {"python::truediv.int", "TrueDivide({0}, {1})"},
    {"python::max.int", "std::max<int64_t>({0}, {1})"},
    {"python::min.int", "std::min<int64_t>({0}, {1})"},
    {"python::neg.int", "Subtract(0, {0})"},
    {"python::eq.int", "{0} == {1}"},
    {"python::ne.int", "{0} != {1}"},
    {"python::lt.int", "{0} < {1}"},
    {"python::le.int", "{0} <= {1}"},
    {"python::gt.int", "{0} > {1}"},
    {"python::ge.int", "{0} >= {1}"},
    {"python::add.float", "{0} + {1}"},
    {"python::sub.float", "{0} - {1}"},
    {"python::mul.float", "{0} * {1}"},
    {"python::truediv.float", "{0} / {1}"},
    {"python::pow.float", "std::pow({0}, {1})"},
    {"python::neg.float", "-({0})"},
    {"python::float.int", "static_cast<double>({0})"},
    {"python::int.float", "IntOf(std::trunc({0}))"},
    {"python::floor.float", "IntOf(std::floor({0}))"},
    {"python::ceil.float", "IntOf(std::ceil({0}))"},
    {"python::sqrt.float", "std::sqrt({0})"},
    {"python::not_.bool", "!{0}"},
};

}  // namespace

std::string CppBuiltin(const graph::Operator& builtin, const std::vector<std::string>& arguments) {
  for (const Row& row : kRows) {
    if (row.builtin != builtin.qualified_name()) continue;
    return fmt::format(fmt::runtime(row.expression), arguments.at(0),
                       arguments.size() > 1 ? arguments[1] : "");
  }
  CULPRIT_CHECK(false, "{} has no expression in C++", builtin.qualified_name());
  return {};
}

}  // namespace culprit::repro
