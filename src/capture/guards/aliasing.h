// SPDX-License-Identifier: Apache-2.0
//
// Which of the program's values are one object or share memory. A walk takes two lists for two lists; a call
// in which they are one is another program. Checked after the guards, one pass over pointers: those of
// parameters are mostly the same as when they were captured, and then nothing can be wrong with them.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/guards/guard.h"

namespace culprit::capture {

struct Aliasing {
  struct Object {
    SourceId source;
    const void* identity = nullptr;
    /// Of a tensor.
    const void* memory = nullptr;
  };
  std::vector<Object> objects;
};

Aliasing AliasingOf(const std::vector<Guard>& guards, const std::vector<const c10::IValue*>& found);

/// Two sources that share an object or memory now and did not then, or the other way round.
using Pair = std::pair<SourceId, SourceId>;
std::optional<Pair> Difference(const Aliasing& aliasing, const std::vector<const c10::IValue*>& found);

std::string Describe(const Pair& pair, const std::vector<Guard>& guards);

/// What a value is told from others by: its object. Null for numbers and the like.
const void* IdentityOf(const c10::IValue& value);

}  // namespace culprit::capture
