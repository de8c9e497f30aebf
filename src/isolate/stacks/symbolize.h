// SPDX-License-Identifier: Apache-2.0
//
// Names for what a signal handler noted.
#pragma once

#include <vector>

#include "isolate/query/black_box.h"
#include "isolate/query/outcome.h"

namespace culprit::isolate {

/// Frames of one stack, innermost first.
using RawStack = std::vector<RawFrame>;

/// The frames of all stacks with their functions. Every module is read once.
std::vector<std::vector<StackFrame>> Symbolize(const std::vector<RawStack>& stacks);

}  // namespace culprit::isolate
