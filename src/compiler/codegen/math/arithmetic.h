// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/code.h"

namespace culprit::compiler::codegen {

/// What instructions can do; null for what is a function (MathFunction). `type` is the operands'.
llvm::Value* Arithmetic(Code& code, loops::Op op, loops::Type type, llvm::ArrayRef<llvm::Value*> operands);

/// The processor stops where the divisor is 0.
bool DividesIntegers(loops::Op op, loops::Type type);

/// Of floats: NaN if one is.
llvm::Value* Minimum(Code& code, loops::Type type, llvm::Value* left, llvm::Value* right);
llvm::Value* Maximum(Code& code, loops::Type type, llvm::Value* left, llvm::Value* right);

}  // namespace culprit::compiler::codegen
