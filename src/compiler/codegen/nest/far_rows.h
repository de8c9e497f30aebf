// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// A row that is loaded from where an index says: x[index[i0] * 64 + i1]. Nothing but the index knows where
/// the next one lies, so the processor would wait for each; it is told ahead.
struct FarRow {
  uint32_t buffer = 0;
  /// Of its first element where all variables but those of a piece are 0.
  loops::ExprId place = {};
  /// How many lines of memory it is good for to be told.
  unsigned lines = 1;
};

/// Those whose indices are known where a piece begins.
std::vector<FarRow> FarRowsOf(const loops::Kernel& kernel);

}  // namespace culprit::compiler::codegen
