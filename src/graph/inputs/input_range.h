// SPDX-License-Identifier: Apache-2.0
//
// What an input may hold, judging by the operators that read it: an index has to be smaller than what it
// indexes, a variance positive, a probability between 0 and 1. Random numbers that ignore this give errors
// and NaNs that have nothing to do with the failure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace culprit::graph::inputs {

struct InputRange {
  /// In the order in which they win where several operators want different things.
  enum class Kind : uint8_t {
    /// Nobody reads it: zeros.
    kUnused,
    /// From 0 to 1; integers are 0 or 1.
    kUnit,
    /// More than 0, up to 1; integers from 1 to 9.
    kPositive,
    /// Integers from 0 to bound - 1.
    kBelow,
    /// Integers whose sum is the bound.
    kSumsTo,
    /// Bools, of which `bound` are true.
    kTrues,
  };
  Kind kind = Kind::kUnit;
  int64_t bound = 0;
  /// With kBelow: 0 if any numbers will do. Otherwise places that are written to, which must not be the same
  /// twice, since the write that wins would be a matter of luck: element i is i / every % bound.
  int64_t every = 0;
  bool operator==(const InputRange&) const = default;
};

/// Nothing where any number will do.
using InputRanges = std::vector<std::optional<InputRange>>;

/// Narrows `known` to what `also` wants; returns whether that changed anything. Of several bounds the
/// smallest holds.
bool Narrow(std::optional<InputRange>& known, const std::optional<InputRange>& also);

}  // namespace culprit::graph::inputs
