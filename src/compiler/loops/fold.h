// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "compiler/loops/body.h"

namespace culprit::compiler::loops {

/// An integer as the type keeps it.
int64_t WrappedInto(int64_t integer, Type type);

/// What an expression that is not in the body yet simplifies to: integer and Bool arithmetic on constants,
/// and where 0, 1, true or false leave an operand as it is; a cast of a constant; a select that is decided.
/// Arithmetic on floats is left alone, since kernels have to compute as they are told.
std::optional<ExprId> Fold(Body& body, const Expression& expression);

}  // namespace culprit::compiler::loops
