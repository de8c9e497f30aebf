// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/sizes/expressions/expression.h"

namespace culprit::graph::sizes {

/// Whether they are equal for all symbols, seen by multiplying out: s0 + s0 and 2*s0, (s0 + 2 - 3)//1 + 1 and
/// s0, (16*s0)//16 and s0. What is divided with a rest, or least or largest of something, is taken as a
/// whole. If it is not known, they are not.
bool AlwaysEqual(const Expression& a, const Expression& b);

}  // namespace culprit::graph::sizes
