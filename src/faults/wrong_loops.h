// SPDX-License-Identifier: Apache-2.0
//
// Loops and kernels that compute something else than those they are made from.
#pragma once

#include "compiler/loops/kernel.h"
#include "compiler/loops/loop_program.h"

namespace culprit::faults {

/// Off as OffByMuch makes tensors (faults/wrong_numbers.h).
compiler::loops::ExprId OffByMuch(compiler::loops::Body& body, compiler::loops::ExprId value);

/// What it stores or combines is off.
compiler::loops::Loop WithWrongResult(const compiler::loops::Loop& loop);

/// What it loads from the sources for which `is_stale` holds is 0.
compiler::loops::Loop WithStaleLoads(const compiler::loops::Loop& loop,
                                     const std::function<bool(compiler::loops::ValueIndex)>& is_stale);

/// Loads from what others have written come from one element earlier; those from the first stay.
compiler::loops::Kernel WithShiftedLoads(const compiler::loops::Kernel& kernel);

/// What it stores in the last iteration of the loop that has lanes is off, as where the rest of a loop over
/// vectors is wrong.
compiler::loops::Kernel WithWrongLastIteration(const compiler::loops::Kernel& kernel);

}  // namespace culprit::faults
