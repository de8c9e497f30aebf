// SPDX-License-Identifier: Apache-2.0
//
// One threaded pass over the three tensors of a comparison that collects all that the rules ask for.
//
// Elements are read once, block by block; a block in which something is not finite is gone through a second
// time, with care, while it is in the cache. Agreeing elements that are not numbers (NaN on both sides if
// NaN equals NaN, the same infinity) leave no error behind. Distances of complex numbers are those in the
// plane.
#pragma once

#include "compare/operands.h"
#include "compare/verdict.h"

namespace culprit::compare {

struct Summary {
  int64_t elements = 0;
  /// Elements that are neither equal nor within the tolerance.
  int64_t mismatching = 0;
  /// Elements that are NaN in exactly one of reference and result.
  int64_t nan_on_one_side = 0;
  /// Largest |reference - result|, infinite if an element is not finite on one side only.
  double max_abs = 0;
  /// Sums of squared differences; NaN differences are left out.
  double squares_reference = 0;
  double squares_result = 0;
  double squares_between = 0;
  NonFinite reference;
  NonFinite result;
  NonFinite fp64;

  void Add(const Summary& other);

  double rmse_reference() const;
  double rmse_result() const;
  double rmse_between() const;
  bool all_equal() const { return max_abs == 0 && mismatching == 0 && nan_on_one_side == 0; }
};

/// When two elements agree.
struct Closeness {
  double tolerance = 0;
  bool equal_nan = false;

  /// `distance` is |reference - result|, `size` is |result|, and neither number is NaN or equal to the other.
  bool Allows(double distance, double size) const { return distance <= tolerance + tolerance * size; }
};

Summary Summarize(const Operands& operands, const Closeness& closeness);

/// One block of it, also for passes that want to skip blocks in which all is equal.
Summary SummarizeBlock(const Block& block, int parts, const Closeness& closeness);

}  // namespace culprit::compare
