// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/loop_program.h"

namespace culprit::compiler::schedule {

/// About how many simple instructions an operation takes.
int CostOf(loops::Op op);

/// What computing one element takes, without what it loads.
int CostOf(const loops::Loop& loop);

/// How often the body of the loop that computes the value runs.
int64_t IterationsOf(const loops::Value& value);

}  // namespace culprit::compiler::schedule
