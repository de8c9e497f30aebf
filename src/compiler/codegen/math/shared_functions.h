// SPDX-License-Identifier: Apache-2.0
//
// Functions that a kernel has once and calls, instead of having them in line. LLVM takes time for each
// instruction, and a function has some fifty; a call costs a few cycles, and what is alive around it goes
// through memory. So a kernel of a few functions has them in line, and one of many calls those that it has
// twice.
#pragma once

#include <set>

#include "compiler/codegen/function/function_writer.h"
#include "compiler/codegen/math/math_functions.h"
#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// Which they are.
class SharedFunctions {
 public:
  explicit SharedFunctions(const loops::Kernel& kernel);

  Placing PlacingOf(loops::Op op) const { return shared_.contains(op) ? Placing::kShared : Placing::kInLine; }

 private:
  std::set<loops::Op> shared_;
};

/// As Polynomial, by a call; null where that is.
llvm::Value* CallShared(FunctionWriter& code, loops::Op op, llvm::Value* x);

}  // namespace culprit::compiler::codegen
