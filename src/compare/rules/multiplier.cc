// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/multiplier.h"

#include <c10/util/accumulate.h>

#include <limits>

namespace culprit::compare {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Situation {
  const MultiplierCase& output;
  const Options& options;
  double tolerance;
};

struct Row {
  bool (*holds)(const Situation&);
  double multiplier_a;
  /// The row exists in A only from this tolerance on.
  double least_tolerance_a;
  double multiplier_b;
};

bool IsForced(const Situation& s) {
  return s.options.force_max_multiplier;
}

template <int64_t kLimit>
bool IsSmall(const Situation& s) {
  return s.options.larger_multiplier_for_small && s.output.elements() <= kLimit;
}

bool IsNoisy(const Situation& s) {
  const c10::IntArrayRef sizes = s.output.sizes;
  const bool is_pooled = sizes.size() == 4 && sizes[2] == 1 && sizes[3] == 1;
  return s.output.elements() < 1000 || is_pooled || s.tolerance >= kMultiplierSteps[0];
}

bool IsShort(const Situation& s) {
  const bool is_half = s.output.dtype == c10::ScalarType::Half && s.options.revision != Revision::kA;
  return is_half || s.output.dtype == c10::ScalarType::BFloat16;
}

constexpr Row kRows[] = {
    {IsForced, 0, kNever, 10},
    {IsSmall<10>, 10, kMultiplierSteps[1], 10},
    {IsSmall<500>, 5, kMultiplierSteps[1], 8},
    {IsNoisy, 3, 0, 3},
    {IsShort, 3, 0, 3},
};

}  // namespace

int64_t MultiplierCase::elements() const {
  return c10::multiply_integers(sizes);
}

double Multiplier(const MultiplierCase& output, const Options& options, double tolerance) {
  const Situation situation{output, options, tolerance};
  const bool is_a = options.revision == Revision::kA;
  for (const Row& row : kRows) {
    if (is_a && tolerance < row.least_tolerance_a) continue;
    if (row.holds(situation)) return is_a ? row.multiplier_a : row.multiplier_b;
  }
  return 2;
}

}  // namespace culprit::compare
