// SPDX-License-Identifier: Apache-2.0
//
// Why ranks have not agreed. What to do then is up to whoever asked: the program goes on as written, or ends.
#pragma once

#include <variant>
#include <vector>

#include "base/diagnostic.h"

namespace culprit::ranks {

enum class RankFailureKind {
  /// All ranks came, and are about to do different things. All of them get this failure.
  kDisagreement,
  /// Some did not come in time. Those that came get this failure, and those that come later too.
  kMissing,
  /// Some cannot capture the place. All of them get this failure.
  kRefused,
  /// Where the ranks meet nobody answers. Others may not have noticed.
  kLost,
};

struct RankFailure {
  RankFailureKind kind;
  /// Those that differ, are missing or gone, in order.
  std::vector<int> ranks;
  base::Diagnostic why;
};

template <typename T>
using RankOutcome = std::variant<T, RankFailure>;

}  // namespace culprit::ranks
