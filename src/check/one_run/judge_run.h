// SPDX-License-Identifier: Apache-2.0
//
// Is what a graph computes near enough to what it would compute in float64? Forward, and backward where an
// output requires a gradient.
#pragma once

#include <optional>

#include "check/noise/coarse_rounding.h"
#include "check/verdict/same_two_models.h"
#include "graph/run/interpreter.h"
#include "repro/repro.h"

namespace culprit::check {

/// What results are judged by.
enum class Against : uint8_t { kFp64, kEager };

struct Judgement {
  CheckResult check;
  double tolerance = 0;
  /// Why the tolerance is larger than 1e-4 although nobody asked for that.
  std::optional<Rounding> rounding = std::nullopt;
  Against against = Against::kFp64;
};

/// The options of the check are those of the header. A tolerance that is neither given here nor different
/// from the default in the header is widened for short dtypes (check/noise/coarse_rounding.h). The observer
/// sees the runs in eager mode.
Judgement JudgeAgainstFp64(const repro::Repro& repro, std::optional<double> tolerance,
                           graph::Observer* observer);

}  // namespace culprit::check
