// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/schedule/fuse/group.h"

namespace culprit::compiler::schedule {

/// Adds a kept value to a group if the loops fit, and says whether. What it loads from the group it has to
/// load at its own place: element for element, or the row that was reduced. A value that loads nothing of the
/// group can join it by what both load. Not
/// a value that relies on one of the group (loops::Precondition).
bool Join(const loops::LoopProgram& program, const Resolved& resolved, loops::ValueIndex value, Group& group);

/// A group of this value alone.
Group MakeGroup(const loops::LoopProgram& program, const Resolved& resolved, loops::ValueIndex value);

}  // namespace culprit::compiler::schedule
