// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "compiler/loops/kernel.h"

namespace culprit::tests {

/// Changes an expression of a kernel; says whether it has. Operands are the new body's.
using EditExpression =
    std::function<bool(compiler::loops::Expression& expression, compiler::loops::Body& body)>;

/// The kernel with its expressions changed; how many were.
size_t EditKernel(compiler::loops::Kernel& kernel, const EditExpression& edit);

}  // namespace culprit::tests
