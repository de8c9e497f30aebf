// SPDX-License-Identifier: Apache-2.0
//
// Runs kernels without compiling them, one operation after the other: for comparison with what was compiled,
// and in its place when code generation is switched off. About a hundred times slower.
#pragma once

#include "compiler/loops/kernel.h"

namespace culprit::compiler::loops {

/// As a KernelEntry of the kernel would.
void Interpret(const Kernel& kernel, void* const* buffers, int64_t begin, int64_t end);

}  // namespace culprit::compiler::loops
