// SPDX-License-Identifier: Apache-2.0
//
// The two rules that look at a tensor as a whole.
#pragma once

#include "compare/elements/element_operands.h"

namespace culprit::compare {

/// A tensor that is not close passes from this cosine on.
constexpr double kLeastCosine = 0.99;

/// The cosine of the angle between reference and result as vectors, complex numbers as two components each.
/// Lengths below 1e-6 count as 1e-6.
double CosineSimilarity(const ElementOperands& operands);

/// |reference and result| / |reference or result| of two masks; 1 if both are empty.
double IntersectionOverUnion(const ElementOperands& operands);

}  // namespace culprit::compare
