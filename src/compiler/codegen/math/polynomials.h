// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

/// Functions of Floats in line, within 2 ulp; null if there is none, or the processor has no fused
/// multiplication.
llvm::Value* Polynomial(FunctionWriter& code, loops::Op op, llvm::Value* x);

}  // namespace culprit::compiler::codegen
