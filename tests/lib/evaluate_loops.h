// SPDX-License-Identifier: Apache-2.0
//
// A slow and simple evaluator of loops::LoopProgram: what the loop language means, element by element, with
// the bounds of every load checked. It shares nothing with any code generator, so that both can be compared.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "compiler/loops/loop_program.h"

namespace culprit::tests {

/// What every value of the program is. Values with loops are computed by those, all others are called for.
/// Throws std::out_of_range for a load of an element that is not there, unless its mask is false.
std::vector<c10::IValue> EvaluateLoops(const compiler::loops::LoopProgram& program,
                                       const std::vector<c10::IValue>& inputs);

/// What one of its values is by its loop, if those before it are these.
at::Tensor EvaluateLoop(const compiler::loops::LoopProgram& program, const std::vector<c10::IValue>& values,
                        const compiler::loops::Value& value);

/// The outputs of the program's graph among these values.
std::vector<c10::IValue> OutputsOf(const compiler::loops::LoopProgram& program,
                                   const std::vector<c10::IValue>& values);

}  // namespace culprit::tests
