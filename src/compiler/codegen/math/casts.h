// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/code.h"

namespace culprit::compiler::codegen {

/// As libtorch converts on this processor, which also says what becomes of floats that no integer is.
llvm::Value* Cast(Code& code, llvm::Value* value, loops::Type from, loops::Type to);

/// Between elements as they lie in memory and as expressions have them.
llvm::Value* FromMemory(Code& code, llvm::Value* value, at::ScalarType dtype);
llvm::Value* ToMemory(Code& code, llvm::Value* value, at::ScalarType dtype);

/// Floats, to the nearest even.
llvm::Value* RoundedToHalf(Code& code, llvm::Value* value);
llvm::Value* RoundedToBFloat16(Code& code, llvm::Value* value);

}  // namespace culprit::compiler::codegen
