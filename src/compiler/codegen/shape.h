// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "compiler/codegen/generate.h"
#include "compiler/codegen/machine.h"

namespace culprit::compiler::codegen {

/// The variable whose iterations a stage computes at a time, if there is one.
std::optional<uint32_t> LaneVariable(const loops::Kernel& kernel, const loops::Stage& stage);

/// How many: two registers of the smallest elements that are at least 4 bytes, so that one operation need not
/// wait for another; no more than there are.
unsigned LanesOf(const loops::Kernel& kernel, const Processor& processor, Route route);

/// How many accumulators a reduction needs so that no combination waits for the one before it: less, the more
/// there is to compute for each value.
unsigned CopiesOf(const loops::Kernel& kernel, const loops::Stage& stage, unsigned lanes);

}  // namespace culprit::compiler::codegen
