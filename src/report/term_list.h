// SPDX-License-Identifier: Apache-2.0
//
// Terms, and beside them what they mean:
//
//   eager     libtorch's own kernels, operator by operator; the control
//   native    Culprit's own compiler, which makes machine code with LLVM, and
//             which has passes
#pragma once

#include <string>
#include <vector>

#include "report/wrap.h"

namespace culprit::report {

struct Term {
  std::string name;
  std::string meaning;
};

/// Every line begins with so many blanks. What a very long name means stands below it.
std::string TermList(const std::vector<Term>& terms, size_t indent = 0, size_t columns = Columns());

}  // namespace culprit::report
