// SPDX-License-Identifier: Apache-2.0
//
// Which switch of the compiler makes a failing repro pass? Each is turned off by itself, in one query: what a
// user can do until the bug is mended, and where whoever mends it may look first.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "check/question/question.h"

namespace culprit::check {

struct TriedSwitches {
  /// Of so many, so many were tried.
  size_t switches = 0;
  size_t tried = 0;
  /// Backends with which it passes: "torchscript:stage=ofi,off=convert_to_mkldnn".
  std::vector<std::string> passing = {};

  /// "passes with --backend ...", or that none helps; empty if there is nothing to try.
  std::string ToString() const;
};

struct TrySwitchesOptions {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// So many are asked at a time.
  size_t jobs = 1;
  std::function<bool()> stop = [] { return false; };
};

/// Those that are off already are left out. Ends at the deadline, or when it is stopped.
base::Result<TriedSwitches> TrySwitches(const AskOnce& ask, const repro::Repro& repro,
                                        const TrySwitchesOptions& options);

}  // namespace culprit::check
