// SPDX-License-Identifier: Apache-2.0
//
// The second, slower pass, for outputs that somebody will look at: which element is worst, and how the errors
// are spread. Blocks in which reference and result are equal are only counted.
#pragma once

#include "compare/elements/summary.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

struct DetailAndTolerance {
  Detail detail;
  /// The smallest tolerance with which every element is close; infinite if there is none.
  double needed = 0;
};

DetailAndTolerance ComputeDetail(const ElementOperands& operands, bool equal_nan, double scale = 1);

}  // namespace culprit::compare
