// SPDX-License-Identifier: Apache-2.0
//
// When are two failures the same? While a graph shrinks its failure is held fixed, so too little compared
// lets the search drift to another bug, and too much makes it stop early. The user can choose, with --match.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backend/failure/failure_signature.h"
#include "base/result.h"

namespace culprit::backend {

enum class MatchMode : uint8_t { kMessage, kExact, kKind, kAny };

/// Parts of a signature.
enum SignaturePart : unsigned {
  kPartPhase = 1,
  kPartKind = 2,
  kPartMessage = 4,
  /// Signal and exit code.
  kPartEnd = 8,
  /// Where both have one.
  kPartTopFrame = 16,
  /// Which call it was, the type of the exception, all frames, the guilty output.
  kPartRest = 32,
};

struct MatchModeDescription {
  MatchMode mode = MatchMode::kMessage;
  std::string_view name;
  /// SignaturePart, or-ed.
  unsigned compared = 0;
  /// One line, in lower case and without a full stop.
  std::string_view line;
};

inline constexpr MatchModeDescription kMatchModes[] = {
    {MatchMode::kMessage, "message", kPartPhase | kPartKind | kPartMessage | kPartEnd | kPartTopFrame,
     "phase, kind, message, and of a crash the signal and the top frame"},
    {MatchMode::kExact, "exact", kPartPhase | kPartKind | kPartMessage | kPartEnd | kPartTopFrame | kPartRest,
     "everything, the number of the call and the guilty output included"},
    {MatchMode::kKind, "kind", kPartPhase | kPartKind, "phase and kind"},
    {MatchMode::kAny, "any", 0, "any failure is as good as any other"},
};

constexpr MatchMode kDefaultMatchMode = MatchMode::kMessage;

/// The error names the nearest that exists.
base::Result<MatchMode> ParseMatchMode(std::string_view name);

/// What differs of what the mode compares, as in "the message is '...', not '...'"; nothing if the failures
/// are the same.
std::optional<std::string> FirstDifference(const FailureSignature& expected, const FailureSignature& met,
                                           MatchMode mode);

bool SameFailure(const FailureSignature& expected, const FailureSignature& met, MatchMode mode);

}  // namespace culprit::backend
