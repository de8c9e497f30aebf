// SPDX-License-Identifier: Apache-2.0
//
// The keys of a header, in the order in which they are written: one table for writing and reading.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "repro/header/header.h"

namespace culprit::repro {

/// What a key sets, and what type its value has.
template <typename Owner>
struct Key {
  std::string_view name;
  std::variant<bool Owner::*, int Owner::*, double Owner::*, std::string Owner::*, uint64_t Owner::*,
               at::ScalarType Owner::*, std::optional<int> Owner::*>
      member;
};

std::span<const Key<RunSettings>> RunKeys();
std::span<const Key<compare::Options>> CompareKeys();
std::span<const Key<WrittenBy>> WrittenByKeys();

}  // namespace culprit::repro
