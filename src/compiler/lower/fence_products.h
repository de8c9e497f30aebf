// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/loop_program.h"

namespace culprit::compiler::lower {

/// A product that several read is one number for all of them:
///   a = x * s;  m = max of a;  d = a - m     =>     a = fence(x * s);  ...
/// Else one of them could compute it together with a sum, rounded once (x * s - m), and find another number:
/// a row's largest element would be none of its elements.
void FenceProducts(loops::LoopProgram& program);

}  // namespace culprit::compiler::lower
