// SPDX-License-Identifier: Apache-2.0
//
// What capture does with an operator that the program calls.
//
//   aten::conv2d(x, ...)         recorded: the dispatcher has it, and its results are tensors
//   aten::append(list, x)        done at once: containers, numbers and strings belong to the walk
//   aten::size(x)                done at once, on the fake tensor: sizes are known
//   aten::tensor([1, 2])         a constant of the graph
//   aten::item(x), prim::Print   a break
#pragma once

#include <ATen/core/stack.h>

#include <optional>

#include "capture/breaks/breaks.h"
#include "capture/vm/code.h"

namespace culprit::capture {

enum class Treatment : uint8_t { kRecord, kDoNow, kMakeConstant, kBreak };

struct Decision {
  Treatment treatment = Treatment::kRecord;
  BreakKind kind = BreakKind::kUncapturedOperator;
};

Decision Decide(const vm::CalledOperator& called, c10::ArrayRef<c10::IValue> arguments);

}  // namespace culprit::capture
