// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/schedule/fuse/group.h"

namespace culprit::compiler::schedule {

/// What has to be in memory before a value can be computed or called for. Sorted, each once.
std::vector<loops::ValueIndex> DirectDependencies(const loops::LoopProgram& program, const Resolved& resolved,
                                                  loops::ValueIndex value);

/// Whether computing one of `values` needs something that the group computes, taking each group as one.
/// Values of the group itself do not count.
bool DependOn(const Grouping& grouping, const std::vector<std::vector<loops::ValueIndex>>& dependencies,
              const std::vector<loops::ValueIndex>& values, uint32_t group);

}  // namespace culprit::compiler::schedule
