// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

enum class Placing : uint8_t { kInLine, kShared };

/// Functions that are no instruction: of Floats or Doubles, in lanes or one. Those that have code of their
/// own have it in line, or are called (shared_functions.h).
llvm::Value* MathFunction(FunctionWriter& code, loops::Op op, llvm::ArrayRef<llvm::Value*> operands,
                          Placing placing);

/// By SLEEF, which libtorch brings with it; by the C library for registers of 128 bits, as libtorch does.
llvm::Value* CallSleef(FunctionWriter& code, loops::Op op, llvm::ArrayRef<llvm::Value*> operands);

}  // namespace culprit::compiler::codegen
