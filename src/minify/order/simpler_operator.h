// SPDX-License-Identifier: Apache-2.0
//
// Which operators can stand in for which, and how complex they are. In a row every operator takes the same
// arguments, as far as the last one has them, and each is simpler than the ones before it:
//
//   tanh, exp ... => neg => relu        pointwise, of one tensor
//   tanh_, exp_ ... => relu_            the same in place
//   sub, mul, div ... => add            pointwise, of two
#pragma once

#include <cstddef>
#include <vector>

#include "graph/operators/operator.h"

namespace culprit::minify {

/// 0 for the simplest of a row and for operators without a row.
size_t ComplexityOf(const graph::Operator& op);

/// From the simplest on; none if there is no simpler one.
const std::vector<const graph::Operator*>& SimplerThan(const graph::Operator& op);

}  // namespace culprit::minify
