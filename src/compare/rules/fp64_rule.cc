// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/fp64_rule.h"

#include <algorithm>
#include <cmath>

namespace culprit::compare {
namespace {

bool NansAllowRule(const Summary& summary, const Options& options) {
  const bool has_nan = summary.reference.nan + summary.result.nan + summary.fp64.nan > 0;
  return !has_nan || (options.equal_nan && summary.nan_on_one_side == 0);
}

}  // namespace

bool PassesFp64Rule(const Summary& summary, double multiplier, const Options& options, double tolerance,
                    double scale) {
  const bool infinities_agree = options.revision != Revision::kC || summary.inf_on_one_side == 0;
  return NansAllowRule(summary, options) && infinities_agree &&
         summary.rmse_result() <= multiplier * summary.rmse_reference() + tolerance * scale / 10;
}

double SmallestFp64Tolerance(const Summary& summary, const MultiplierCase& output, const Options& options,
                             double scale) {
  if (!PassesFp64Rule(summary, 0, options, INFINITY)) return INFINITY;
  double begin = 0;
  for (const double end : {kMultiplierSteps[0], kMultiplierSteps[1], double{INFINITY}}) {
    const double multiplier = Multiplier(output, options, begin);
    const double missing = summary.rmse_result() - multiplier * summary.rmse_reference();
    double needed = std::max(begin, missing > 0 ? 10 * missing / scale : 0);
    if (!std::isfinite(needed)) return INFINITY;
    // Rounding may leave it a hair too small.
    while (!PassesFp64Rule(summary, multiplier, options, needed, scale))
      needed = std::nextafter(needed, INFINITY);
    if (needed < end) return needed;
    begin = end;
  }
  return INFINITY;
}

}  // namespace culprit::compare
