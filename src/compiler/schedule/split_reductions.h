// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "compiler/loops/loop_program.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

/// A long reduction with few results leaves nothing for a second thread. It becomes two: of parts of the
/// first reduced variable, and of what these give.
///
///   sum over 1000000 -> []     =>     partial[64] = sum over 15625;  sum over 64 of partial
///
/// `applies` is asked for each.
loops::LoopProgram SplitReductions(const loops::LoopProgram& program, NumberWriter numbers,
                                   const std::function<bool()>& applies);

}  // namespace culprit::compiler::schedule
