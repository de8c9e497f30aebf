// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {

/// Writes the kernel's loops, and what they compute, into the code's function.
void WriteLoops(FunctionWriter& code, const loops::Kernel& kernel);

}  // namespace culprit::compiler::codegen
