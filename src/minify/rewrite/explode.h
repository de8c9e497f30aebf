// SPDX-License-Identifier: Apache-2.0
//
// The exploded program: every operator as an island on the operands that it had in the recorded run, so that
// each one that computes wrongly by itself shows in an output of its own:
//
//   a = conv(x, w)                 forward(x, w, a_1, b_1):
//   b = relu(a)                      a = conv(x, w)
//   c = add(b, x)       =>           b = relu(a_1)
//   return (c,)                      c = add(b_1, x)
//                                    return (a, b, c)
//
// Operands are shared between islands, except where somebody writes: that operator has copies of its own.
// Parameters stay parameters and constants stay constants. Left out are operators that cannot stand alone:
// builtins, those that draw random numbers, read an undefined tensor, give a tensor another memory, or have
// no tensor as a result.
#pragma once

#include <vector>

#include "minify/program/program.h"
#include "minify/program/subject.h"

namespace culprit::minify {

struct Exploded {
  Program program;
  /// Per output: the operator of the subject that makes it. In program order.
  std::vector<graph::NodeId> makers;
};

Exploded Explode(const Subject& subject);

}  // namespace culprit::minify
