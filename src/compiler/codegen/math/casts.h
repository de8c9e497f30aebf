// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

/// As libtorch converts on this processor, which also says what becomes of floats that no integer is.
llvm::Value* Cast(FunctionWriter& code, llvm::Value* value, loops::Type from, loops::Type to);

/// Between elements as they lie in memory and as expressions have them.
llvm::Value* FromMemory(FunctionWriter& code, llvm::Value* value, at::ScalarType dtype);
llvm::Value* ToMemory(FunctionWriter& code, llvm::Value* value, at::ScalarType dtype);

/// Floats, to the nearest even.
llvm::Value* RoundedToHalf(FunctionWriter& code, llvm::Value* value);
llvm::Value* RoundedToBFloat16(FunctionWriter& code, llvm::Value* value);

}  // namespace culprit::compiler::codegen
