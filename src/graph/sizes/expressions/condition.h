// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/sizes/expressions/expression.h"

namespace culprit::graph::sizes {

enum class Relation : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

Relation Opposite(Relation relation);

/// What a program has decided by sizes: "s0 > 4". Both sides have symbols only.
struct Condition {
  Expression a;
  Relation relation = Relation::kEqual;
  Expression b;

  bool operator==(const Condition&) const = default;
};

/// A side that cannot be computed, since it overflows or divides by zero, makes it false.
bool Holds(const Condition& condition, c10::ArrayRef<int64_t> symbols);

/// That they are equal, in fewer words where there are some: s0 <= 20 for min(s0, 20) == s0.
Condition Equality(const Expression& a, const Expression& b);

/// Whether it holds for all sizes, each of which is at least 2.
bool AlwaysHolds(const Condition& condition);

std::string ToString(const Condition& condition);

}  // namespace culprit::graph::sizes
