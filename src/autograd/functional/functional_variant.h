// SPDX-License-Identifier: Apache-2.0
//
// What computes the numbers that an operator writes:
//
//   add_.Tensor(x, y)         kFunctional    add.Tensor(x, y)
//   mm.out(x, y, out)         kFunctional    mm(x, y)
//   copy_(x, y)               kCopy          a copy of y
//   t_(x)                     kView          t(x): x lies otherwise on its memory, which is not written
//   native_batch_norm(...)    kPrivateCopy   itself, on copies of what it writes
//   detach_(x)                kNothing       changes nothing below autograd
#pragma once

#include "graph/operators/operator.h"

namespace culprit::autograd {

struct FunctionalVariant {
  enum class Kind : uint8_t { kFunctional, kCopy, kView, kPrivateCopy, kNothing, kNone };
  Kind kind = Kind::kNone;
  /// Of functional ones and views. It takes the arguments in the same order, without those that are only
  /// written.
  const graph::Operator* op = nullptr;
};

/// Of an operator that writes; remembered.
const FunctionalVariant& FunctionalVariantOf(const graph::Operator& op);

/// Whether the schema admits it, also of the tensors in a list.
bool IsWrittenBySchema(const c10::Argument& argument);

/// Whether the argument is there to be written only: `out`.
bool IsOutArgument(const graph::Operator& op, size_t argument);

}  // namespace culprit::autograd
