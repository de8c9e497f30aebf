// SPDX-License-Identifier: Apache-2.0
//
// One occasion at which a fault strikes, and what it can see and change then.
#pragma once

#include <cstdint>

#include "backend/backend.h"
#include "faults/site.h"

namespace culprit::faults {

/// When a fault strikes.
enum class FaultMoment : uint8_t {
  /// Instead of the compilation.
  kCompile,
  /// At every call, before the compiled graph runs.
  kCall,
  /// At every call, when it has run and there are outputs.
  kOutputs,
  /// Behind a pass of backend native.
  kPass,
};

struct Incident {
  const Site& site;
  /// Of the fault; 0 if its kind takes none.
  uint64_t argument = 0;
  /// Counted from 1; 0 during the compilation.
  uint64_t call = 0;
  /// As the caller gave them, whatever the compiled graph did to its list; empty during the compilation.
  const backend::Values& inputs;
  /// Empty unless there are outputs.
  backend::Values& outputs;
};

}  // namespace culprit::faults
