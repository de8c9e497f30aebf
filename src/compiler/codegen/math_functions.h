// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/code.h"

namespace culprit::compiler::codegen {

/// Functions that are no instruction: of Floats or Doubles, in lanes or one.
llvm::Value* MathFunction(Code& code, loops::Op op, llvm::ArrayRef<llvm::Value*> operands);

/// By SLEEF, which libtorch brings with it.
llvm::Value* CallSleef(Code& code, loops::Op op, llvm::ArrayRef<llvm::Value*> operands);

}  // namespace culprit::compiler::codegen
