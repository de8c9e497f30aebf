// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/body.h"

namespace culprit::compiler::loops {

/// A value of an expression: floats in `number`, integers and Bools in `integer`, as their type keeps them.
struct Scalar {
  double number = 0;
  int64_t integer = 0;
};

/// Any operation of one to three operands that is neither a cast nor a load. `type` is the operands'.
Scalar ApplyScalar(Op op, Type type, const Scalar* operands);

Scalar CastScalar(const Scalar& operand, Type from, Type to);

Scalar LoadScalar(const void* memory, at::ScalarType dtype, int64_t place);
void StoreScalar(void* memory, at::ScalarType dtype, int64_t place, const Scalar& value);

/// What changes nothing when it is combined.
Scalar IdentityOf(Combine combine, Type type);
/// Not for those that find a place.
Scalar CombineScalars(Combine combine, Type type, const Scalar& a, const Scalar& b);
/// Whether `b` is before `a`, for arg_min and arg_max: NaN is before everything else.
bool IsBetter(Combine combine, Type type, const Scalar& best, const Scalar& candidate);

}  // namespace culprit::compiler::loops
