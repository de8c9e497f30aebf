// SPDX-License-Identifier: Apache-2.0
//
// One element of a block, real or complex, for the loops in which care matters more than speed.
#pragma once

#include <cmath>

#include "compare/elements/element_operands.h"

namespace culprit::compare {

struct Element {
  double real = 0;
  double imaginary = 0;

  bool IsNan() const { return std::isnan(real) || std::isnan(imaginary); }
  bool IsInf() const { return !IsNan() && (std::isinf(real) || std::isinf(imaginary)); }
  bool IsFinite() const { return std::isfinite(real) && std::isfinite(imaginary); }
  double Size() const { return imaginary == 0 ? std::abs(real) : std::hypot(real, imaginary); }

  bool operator==(const Element&) const = default;
};

/// In the plane: 0 for the same infinity, NaN if a side is NaN, infinite if just one is infinite.
inline double Distance(const Element& a, const Element& b) {
  if (a == b) return 0;
  if (a.IsNan() || b.IsNan()) return std::nan("");
  if (!a.IsFinite() || !b.IsFinite()) return INFINITY;
  return Element{a.real - b.real, a.imaginary - b.imaginary}.Size();
}

/// Element `i` of an operand of a block with `parts` doubles per element.
inline Element ElementAt(const double* operand, int64_t i, int parts) {
  return parts == 1 ? Element{operand[i]} : Element{operand[2 * i], operand[2 * i + 1]};
}

}  // namespace culprit::compare
