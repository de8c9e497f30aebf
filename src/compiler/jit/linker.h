// SPDX-License-Identifier: Apache-2.0
//
// Objects become code in this process, by LLVM's ORC and JITLink. Each has a namespace of its own (a
// JITDylib), since all define the same name; beside it they see what the process has loaded: libm, and
// the SLEEF and MKL that are part of libtorch.
#pragma once

#include <memory>
#include <string>

#include "compiler/jit/kernels.h"

namespace culprit::compiler::jit {

/// The kernel that the object defines (codegen::kEntryName). Its memory is unmapped with the last pointer to
/// it. Throws std::runtime_error with LLVM's words. Thread-safe: one at a time, which costs little beside the
/// making of objects.
std::shared_ptr<const LoadedKernel> Link(const std::string& object);

}  // namespace culprit::compiler::jit
