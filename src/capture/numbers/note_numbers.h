// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/stack.h>

#include "capture/numbers/number_log.h"
#include "capture/numbers/number_operators.h"

namespace culprit::capture {

/// Writes arithmetic on tensors whose numbers are known into the log as the arithmetic on numbers that it is:
/// one event for each element, under the name that the operator on plain numbers has.
///
///   aten::floor_divide(tensor(9), tensor(2)) == tensor(4)    =>    aten::floordiv(9, 2) == 4
///
/// Arguments and results are real tensors; in-place operators are not done yet.
void NoteNumbers(NumberUse use, std::string_view op, c10::ArrayRef<c10::IValue> arguments,
                 c10::ArrayRef<c10::IValue> results, size_t operators, const CodeOrigin& origin,
                 NumberLog& log);

}  // namespace culprit::capture
