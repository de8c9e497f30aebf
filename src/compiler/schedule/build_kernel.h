// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/loops/kernel.h"
#include "compiler/schedule/fuse/group.h"
#include "compiler/schedule/schedule.h"

namespace culprit::compiler::schedule {

struct BuiltKernel {
  /// Its variables are those of the group, and sizes have their numbers in them.
  loops::Kernel kernel;
  KernelStep step;
};

/// `in_memory` says which values others need.
BuiltKernel BuildKernel(const loops::LoopProgram& program, const Resolved& resolved, const Group& group,
                        const std::vector<bool>& in_memory, NumberWriter numbers);

/// The members of the group that some other stage of it loads from memory.
std::vector<loops::ValueIndex> LoadedByOtherStages(const Resolved& resolved, const Group& group);

}  // namespace culprit::compiler::schedule
