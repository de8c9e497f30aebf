// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/argument.h"

#include <bit>
#include <cmath>

#include "base/internal_error.h"

namespace culprit::graph {
namespace {

bool SameFloat(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

}  // namespace

Argument Argument::Ints(const std::vector<int64_t>& ints) {
  List list;
  list.reserve(ints.size());
  for (const int64_t value : ints) list.emplace_back(c10::IValue(value));
  return Argument(std::move(list));
}

bool SameConstant(const c10::IValue& a, const c10::IValue& b) {
  if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
  if (a.isBool() || b.isBool()) return a.isBool() && b.isBool() && a.toBool() == b.toBool();
  if (a.isInt() || b.isInt()) return a.isInt() && b.isInt() && a.toInt() == b.toInt();
  if (a.isDouble() || b.isDouble())
    return a.isDouble() && b.isDouble() && SameFloat(a.toDouble(), b.toDouble());
  if (a.isComplexDouble() && b.isComplexDouble()) {
    const auto x = a.toComplexDouble();
    const auto y = b.toComplexDouble();
    return SameFloat(x.real(), y.real()) && SameFloat(x.imag(), y.imag());
  }
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isDevice() && b.isDevice()) return a.toDevice() == b.toDevice();
  return false;
}

bool Argument::operator==(const Argument& other) const {
  if (content_.index() != other.content_.index()) return false;
  if (is_value()) return value() == other.value();
  if (is_list()) return list() == other.list();
  return SameConstant(constant(), other.constant());
}

}  // namespace culprit::graph
