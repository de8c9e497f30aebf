// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/schedule/build_kernel.h"

namespace culprit::compiler::schedule {

/// A value that nobody but the kernel itself needs, stored by one stage and read by a later one just where
/// that stores its own result, lies in the memory of that result. `is_needed` says by value what others need.
void ShareBuffers(BuiltKernel& built, const std::vector<bool>& is_needed);

}  // namespace culprit::compiler::schedule
