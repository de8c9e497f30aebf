// SPDX-License-Identifier: Apache-2.0
//
// An actual argument of a node: a value of the graph, a constant, or a (nested) list of both.
//
// Constants are None, bool, int, float, complex, string and device. Dtypes, layouts and memory formats are
// ints, as libtorch's calls want them; the slot they stand in says how they are printed. A plain number in a
// Tensor slot stays a number: the interpreter wraps it at the call, as Python does.
#pragma once

#include <ATen/core/ivalue.h>

#include <utility>
#include <variant>
#include <vector>

#include "graph/ir/ids.h"

namespace culprit::graph {

class Argument {
 public:
  using List = std::vector<Argument>;

  Argument() = default;                         // None
  Argument(ValueId value) : content_(value) {}  // NOLINT: meant to be implicit
  // Explicit, since {list} would be a list in a list for some compilers and a copy of the list for others.
  explicit Argument(List list) : content_(std::move(list)) {}
  explicit Argument(c10::IValue constant) : content_(std::move(constant)) {}

  static Argument Ints(const std::vector<int64_t>& ints);

  bool is_value() const { return std::holds_alternative<ValueId>(content_); }
  bool is_list() const { return std::holds_alternative<List>(content_); }
  bool is_constant() const { return std::holds_alternative<c10::IValue>(content_); }
  bool is_none() const { return is_constant() && constant().isNone(); }

  ValueId value() const { return std::get<ValueId>(content_); }
  const List& list() const { return std::get<List>(content_); }
  List& list() { return std::get<List>(content_); }
  const c10::IValue& constant() const { return std::get<c10::IValue>(content_); }

  /// Exact: 1, 1.0 and True differ, -0.0 differs from 0.0, and a NaN equals a NaN.
  bool operator==(const Argument& other) const;

 private:
  std::variant<c10::IValue, ValueId, List> content_;
};

/// Exact equality of two constants, as in Argument::operator==.
bool SameConstant(const c10::IValue& a, const c10::IValue& b);

/// Calls `visit(ValueId)` for every value in the argument, in order of appearance.
template <typename Visitor>
void ForEachValue(const Argument& argument, Visitor&& visit) {
  if (argument.is_value()) {
    visit(argument.value());
  } else if (argument.is_list()) {
    for (const Argument& element : argument.list()) ForEachValue(element, visit);
  }
}

/// The argument with every value replaced by `map(ValueId)`, which returns an Argument.
template <typename Map>
Argument MapValues(const Argument& argument, Map&& map) {
  if (argument.is_value()) return map(argument.value());
  if (!argument.is_list()) return argument;
  Argument::List list;
  list.reserve(argument.list().size());
  for (const Argument& element : argument.list()) list.push_back(MapValues(element, map));
  return Argument(std::move(list));
}

}  // namespace culprit::graph
