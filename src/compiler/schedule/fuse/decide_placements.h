// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/schedule/fuse/resolve.h"

namespace culprit::compiler::schedule {

/// Fills placements and in_memory. Going backwards, everything that uses a value is decided before the value
/// is.
Resolved DecidePlacements(const loops::LoopProgram& program, const ResolveOptions& options);

}  // namespace culprit::compiler::schedule
