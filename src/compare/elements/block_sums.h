// SPDX-License-Identifier: Apache-2.0
//
// The inner loop of a comparison: what the rules need, for a piece of memory in which everything is finite.
// The same four lanes are used with AVX2 and without, so both add up in the same order.
#pragma once

#include <cstdint>

namespace culprit::compare {

struct BlockSums {
  /// Of squared differences: fp64 - reference, fp64 - result, reference - result.
  double reference = 0;
  double result = 0;
  double between = 0;
  /// Of the squares of the reference.
  double size = 0;
  /// Largest |reference - result|.
  double max_abs = 0;
  /// Elements with |reference - result| > absolute + relative * |result|.
  int64_t mismatching = 0;

  /// If not, an element may be NaN or infinite, and none of the numbers means anything.
  bool AreFinite() const;
};

/// For real elements.
template <typename T, typename Fp64>
BlockSums SumBlock(const T* reference, const T* result, const Fp64* fp64, int64_t count, double absolute,
                   double relative);

extern template BlockSums SumBlock(const float*, const float*, const float*, int64_t, double, double);
extern template BlockSums SumBlock(const float*, const float*, const double*, int64_t, double, double);
extern template BlockSums SumBlock(const double*, const double*, const double*, int64_t, double, double);

}  // namespace culprit::compare
