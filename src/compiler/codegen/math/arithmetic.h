// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

/// What instructions can do; null for what is a function (MathFunction). `type` is the operands'.
llvm::Value* Arithmetic(FunctionWriter& code, loops::Op op, loops::Type type,
                        llvm::ArrayRef<llvm::Value*> operands);

/// The processor stops where the divisor is 0.
bool DividesIntegers(loops::Op op, loops::Type type);

/// Of floats: NaN if one is.
llvm::Value* Minimum(FunctionWriter& code, loops::Type type, llvm::Value* left, llvm::Value* right);
llvm::Value* Maximum(FunctionWriter& code, loops::Type type, llvm::Value* left, llvm::Value* right);

}  // namespace culprit::compiler::codegen
