// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/schedule/fuse/resolve.h"

namespace culprit::compiler::schedule {

/// Fills fates and in_memory. Going backwards, everything that uses a value is decided before the value is.
Resolved DecideFates(const loops::Program& program, const ResolveOptions& options);

}  // namespace culprit::compiler::schedule
