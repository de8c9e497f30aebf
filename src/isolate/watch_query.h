// SPDX-License-Identifier: Apache-2.0
//
// From a request that was sent to its outcome: reads what the child prints, enforces the limits, and tells
// the ways apart in which it can end.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "isolate/child.h"
#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"

namespace culprit::isolate {

/// Called every few milliseconds while a query runs, with the phase that the child has announced last.
using OnLook = std::function<void(std::string_view phase)>;

struct WatchedQuery {
  /// Which request of the child it is.
  uint32_t number = 0;
  /// What the child had when it was forked, with what it got from the caller.
  uint64_t memory_at_start = 0;
  Limits limits = {};
  OnLook on_look = nullptr;
};

struct ChildOutcome {
  Outcome outcome;
  /// The child can take another request. If not, it is dead or has to be let go.
  bool child_is_fit = false;
};

/// An error is one of Culprit's own surroundings: the zygote has died.
base::Result<ChildOutcome> WatchQuery(const Child& child, const WatchedQuery& query);

}  // namespace culprit::isolate
