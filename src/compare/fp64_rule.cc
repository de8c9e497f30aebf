// SPDX-License-Identifier: Apache-2.0
#include "compare/fp64_rule.h"

#include <algorithm>
#include <cmath>

namespace culprit::compare {
namespace {

bool NansAllowRule(const Summary& summary, const Options& options) {
  const bool reference_is_nan = summary.reference.nan + summary.fp64.nan > 0;
  const bool result_is_nan = summary.result.nan + summary.fp64.nan > 0;
  if (!reference_is_nan && !result_is_nan) return true;
  return options.equal_nan && reference_is_nan && result_is_nan && summary.nan_on_one_side == 0;
}

}  // namespace

bool PassesFp64Rule(const Summary& summary, double multiplier, const Options& options, double tolerance) {
  return NansAllowRule(summary, options) &&
         summary.rmse_result() <= multiplier * summary.rmse_reference() + tolerance / 10;
}

double SmallestFp64Tolerance(const Summary& summary, const MultiplierCase& output, const Options& options) {
  if (!NansAllowRule(summary, options)) return INFINITY;
  double begin = 0;
  for (const double end : {kMultiplierSteps[0], kMultiplierSteps[1], double{INFINITY}}) {
    const double multiplier = Multiplier(output, options, begin);
    double needed = std::max(begin, 10 * (summary.rmse_result() - multiplier * summary.rmse_reference()));
    if (!std::isfinite(needed)) return INFINITY;
    // Rounding may leave it a hair too small.
    while (!PassesFp64Rule(summary, multiplier, options, needed)) needed = std::nextafter(needed, INFINITY);
    if (needed < end) return needed;
    begin = end;
  }
  return INFINITY;
}

}  // namespace culprit::compare
