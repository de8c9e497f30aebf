// SPDX-License-Identifier: Apache-2.0
//
// Operators on tensors that are plain arithmetic. torch.jit.trace writes size arithmetic with them:
//
//   n = x.size(0) // 2        =>   aten::floor_divide(prim::NumToTensor(aten::size(x, 0)), 2)
//
// If the numbers of all their tensors are known (capture/numbers/known_tensors.h), so are those of the
// result.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/vm/code.h"

namespace culprit::capture {

enum class NumberUse : uint8_t {
  /// One result for each element, of one or two operands.
  kElementwise,
  /// The same, written into the first operand.
  kInPlace,
  /// One result of all elements.
  kReduction,
  /// The elements themselves, in another tensor or a view.
  kMove,
  /// Numbers instead of tensors.
  kTake,
};

/// Nothing if it is none of these.
std::optional<NumberUse> NumberUseOf(const vm::CalledOperator& called);

}  // namespace culprit::capture
