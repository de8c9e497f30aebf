// SPDX-License-Identifier: Apache-2.0
//
// Which operators round, and which of them are specified to the last bit.
#pragma once

#include <string_view>

#include "graph/ir/graph.h"

namespace culprit::check {

enum class Exactness {
  /// It moves, selects, compares or makes numbers, and rounds none.
  kAlways,
  /// Whole numbers are exact, as sums and products of such are: counts, masks, places.
  kWholeNumbers,
  /// A function whose values are irrational; where they are 1, they were rounded to 1.
  kNever,
};
Exactness ExactnessOf(std::string_view op);

/// Of complex numbers it rounds, though it rounds no others: sqrt(a^2 + b^2).
bool RoundsComplex(std::string_view op);

/// Whether the operands alone say what the results are, but for the last place of a number: a view, relu,
/// `x > 0`, argmin (the first of equal numbers), floor_divide, one sum of two numbers. Other operands within
/// rounding excuse nothing, if the operands themselves carry no rounding: 1.0 // 0.1 is 9. Not so for sums of many,
/// which round inside, and for topk, whose order of equal numbers is nobody's promise.
bool IsSpecified(const graph::Node& node);

/// What is so of real numbers only: the real part of a product of complex ones is a difference of two products.
bool IsSpecifiedOfReals(const graph::Node& node);

/// Whether it may add up many numbers, so that these overflow in one order and not in another.
bool AddsUp(const graph::Node& node);

}  // namespace culprit::check
