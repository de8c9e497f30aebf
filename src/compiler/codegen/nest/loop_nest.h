// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/function/code.h"

namespace culprit::compiler::codegen {

/// Writes the kernel's loops, and what they compute, into the code's function.
void WriteLoops(Code& code, const loops::Kernel& kernel);

}  // namespace culprit::compiler::codegen
