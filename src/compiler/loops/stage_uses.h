// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::loops {

/// What a stage computes in each iteration, operands before their users.
std::vector<ExprId> ComputedBy(const Kernel& kernel, const Stage& stage);

/// Where it loads from a buffer.
std::vector<ExprId> PlacesLoaded(const Kernel& kernel, const Stage& stage, uint32_t buffer);

}  // namespace culprit::compiler::loops
