// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// Of each expression: it is a Long that 32 bits are enough for, in all iterations and in lanes behind the
/// last one. Most indices are: vectors of them have twice the lanes and many more instructions.
std::vector<bool> SmallIntegers(const loops::Kernel& kernel);

}  // namespace culprit::compiler::codegen
