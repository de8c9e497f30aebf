// SPDX-License-Identifier: Apache-2.0
//
// One threaded pass over the three tensors of a comparison that collects all that the rules ask for.
//
// Elements are read once, block by block; a block in which something is not finite is gone through a second
// time, with care, while it is in the cache. Agreeing elements that are not numbers (NaN on both sides if
// NaN equals NaN, the same infinity) leave no error behind. Distances of complex numbers are those in the
// plane.
#pragma once

#include "compare/elements/element_operands.h"
#include "compare/verdict/verdict.h"

namespace culprit::compare {

struct Summary {
  int64_t elements = 0;
  /// Elements that are neither equal nor within the tolerance.
  int64_t mismatching = 0;
  /// Elements that are NaN in exactly one of reference and result, and elements that are infinite in one or
  /// have another sign.
  int64_t nan_on_one_side = 0;
  int64_t inf_on_one_side = 0;
  /// Largest |reference - result|, infinite if an element is not finite on one side only.
  double max_abs = 0;
  /// Sums of squared differences; NaN differences are left out, and infinite ones by truth (Closeness).
  double squares_reference = 0;
  double squares_result = 0;
  double squares_between = 0;
  /// Sum of the squares of the reference's finite elements.
  double squares_size = 0;
  /// Elements that are not finite in the reference or the result, and as fp64 says they should be
  /// (Closeness::by_truth). They agree, and are left out of the sums.
  int64_t confirmed = 0;
  NonFinite reference;
  NonFinite result;
  NonFinite fp64;

  void Add(const Summary& other);

  double rmse_reference() const;
  double rmse_result() const;
  double rmse_between() const;
  double rms_size() const;
  bool all_equal() const {
    return max_abs == 0 && mismatching == 0 && nan_on_one_side == 0 && confirmed == 0;
  }
};

/// When two elements agree.
struct Closeness {
  double tolerance = 0;
  bool equal_nan = false;
  /// What the tolerance is multiplied with for numbers near 0.
  double scale = 1;
  /// Where the reference or the result is not finite, the result is right if it is what fp64 is; such
  /// elements are counted and leave nothing in the sums.
  bool by_truth = false;

  /// `distance` is |reference - result|, `size` is |result|, and neither number is NaN or equal to the other.
  bool Allows(double distance, double size) const { return distance <= tolerance * scale + tolerance * size; }
};

/// How near a result has to be to fp64 where the reference is not finite.
constexpr double kRescueTolerance = 0.04;

Summary Summarize(const ElementOperands& operands, const Closeness& closeness);

/// One block of it, also for passes that want to skip blocks in which all is equal.
Summary SummarizeBlock(const Block& block, int parts, const Closeness& closeness);

}  // namespace culprit::compare
