// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/expressions/condition.h"

#include <array>

#include "graph/sizes/expressions/polynomial.h"

namespace culprit::graph::sizes {
namespace {

bool Compare(int64_t a, Relation relation, int64_t b) {
  switch (relation) {
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return a != b;
    case Relation::kLess:
      return a < b;
    case Relation::kLessEqual:
      return a <= b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterEqual:
      return a >= b;
  }
  return false;
}

/// Seen by how they are made: min(a, b) <= a, and a <= max(a, b).
bool IsAtMost(const Expression& a, const Expression& b) {
  const auto is = [](const Expression& expression, Operation operation) {
    return expression.kind() == Expression::Kind::kOperation && expression.operation() == operation;
  };
  if (AlwaysEqual(a, b)) return true;
  if (is(a, Operation::kMinimum)) return IsAtMost(a.a(), b) || IsAtMost(a.b(), b);
  return is(b, Operation::kMaximum) && (IsAtMost(a, b.a()) || IsAtMost(a, b.b()));
}

}  // namespace

Relation Opposite(Relation relation) {
  constexpr std::array kOpposites = {Relation::kNotEqual, Relation::kEqual,     Relation::kGreaterEqual,
                                     Relation::kGreater,  Relation::kLessEqual, Relation::kLess};
  return kOpposites[static_cast<size_t>(relation)];
}

bool Holds(const Condition& condition, c10::ArrayRef<int64_t> symbols) {
  const std::optional<int64_t> a = Evaluate(condition.a, symbols);
  const std::optional<int64_t> b = Evaluate(condition.b, symbols);
  return a && b && Compare(*a, condition.relation, *b);
}

Condition Equality(const Expression& a, const Expression& b) {
  if (a.kind() == Expression::Kind::kOperation) {
    const bool is_least = a.operation() == Operation::kMinimum;
    const Relation relation = is_least ? Relation::kLessEqual : Relation::kGreaterEqual;
    if (is_least || a.operation() == Operation::kMaximum) {
      if (AlwaysEqual(a.a(), b)) return {a.a(), relation, a.b()};
      if (AlwaysEqual(a.b(), b)) return {a.b(), relation, a.a()};
    }
  }
  return {a, Relation::kEqual, b};
}

bool AlwaysHolds(const Condition& condition) {
  const Relation relation = condition.relation;
  if (AlwaysEqual(condition.a, condition.b))
    return relation == Relation::kEqual || relation == Relation::kLessEqual ||
           relation == Relation::kGreaterEqual;
  if (relation == Relation::kLessEqual && IsAtMost(condition.a, condition.b)) return true;
  if (relation == Relation::kGreaterEqual && IsAtMost(condition.b, condition.a)) return true;
  const Bounds a = BoundsOf(condition.a);
  const Bounds b = BoundsOf(condition.b);
  const bool is_less = a.largest && b.least && *a.largest < *b.least;
  const bool is_greater = a.least && b.largest && *a.least > *b.largest;
  const bool touches_below = a.largest && b.least && *a.largest <= *b.least;
  const bool touches_above = a.least && b.largest && *a.least >= *b.largest;
  switch (relation) {
    case Relation::kEqual:
      return false;
    case Relation::kNotEqual:
      return is_less || is_greater;
    case Relation::kLess:
      return is_less;
    case Relation::kLessEqual:
      return touches_below;
    case Relation::kGreater:
      return is_greater;
    case Relation::kGreaterEqual:
      return touches_above;
  }
  return false;
}

std::string ToString(const Condition& condition) {
  constexpr std::array kSigns = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  return ToString(condition.a) + kSigns[static_cast<size_t>(condition.relation)] + ToString(condition.b);
}

}  // namespace culprit::graph::sizes
