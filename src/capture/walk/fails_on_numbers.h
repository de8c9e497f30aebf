// SPDX-License-Identifier: Apache-2.0
//
// Which operators can throw on the numbers in their arguments: an index out of range, a singular matrix, a
// probability above 1. All others, once they were fine with fake tensors, are fine with real ones.
#pragma once

#include <ATen/core/stack.h>

#include "capture/vm/code.h"

namespace culprit::capture {

/// Operators of other libraries may do so always.
bool MayFailOnNumbers(const vm::CalledOperator& called, c10::ArrayRef<c10::IValue> arguments);

}  // namespace culprit::capture
