// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/kernel.h"

namespace culprit::compiler::run {

/// Whether `written` may lie where `read` lies, buffers of the kernel: every element of `read` is read at
/// most where, and not after, the element in its place is written.
bool MayShareMemory(const loops::Kernel& kernel, uint32_t read, uint32_t written);

}  // namespace culprit::compiler::run
