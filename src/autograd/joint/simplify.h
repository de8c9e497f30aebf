// SPDX-License-Identifier: Apache-2.0
//
// Makes joint graphs smaller. What they return stays the same bit for bit, and so does what shares memory
// with it: an output is never merged with anything, since a caller may write into it while backward still
// waits. Memory that a node writes into is left alone too.
//
//   a = detach(x)           dead copies: detach, alias and lift_fresh, and clones of what has no gaps
//   b = sin(a)
//   c = sin(x)         =>   b = sin(x)
//   d = mul(b, c)           d = mul(b, b)
//
// A node of backward is never replaced by an equal one of forward: that would save its result in place of its
// operands, which can cost memory. Numbers are an exception, since they cost none, while the tensor that a
// size is taken of does.
#pragma once

#include "autograd/joint/joint.h"

namespace culprit::autograd {

/// All of the following.
Joint Simplify(const Joint& joint);

/// See graph/passes/eliminate_dead_code.h.
Joint EliminateDeadCode(const Joint& joint);
/// Random and custom operators are not merged.
Joint MergeCommonSubexpressions(const Joint& joint);
Joint RemoveDeadCopies(const Joint& joint);

}  // namespace culprit::autograd
