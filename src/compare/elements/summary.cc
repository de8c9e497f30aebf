// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/summary.h"

#include <algorithm>
#include <cmath>

#include "compare/elements/block_sums.h"
#include "compare/elements/element.h"

namespace culprit::compare {
namespace {

void Count(const Element& element, NonFinite& counts) {
  counts.nan += element.IsNan() ? 1 : 0;
  counts.inf += element.IsInf() ? 1 : 0;
}

void AddSquare(double distance, bool by_truth, double& squares) {
  const bool counts = by_truth ? std::isfinite(distance) : !std::isnan(distance);
  if (counts) squares += distance * distance;
}

bool IsConfirmed(const Element& reference, const Element& result, const Element& fp64) {
  const bool are_both_nan = reference.IsNan() && result.IsNan();
  if (are_both_nan || (reference.IsFinite() && result.IsFinite())) return false;
  if (!result.IsFinite()) return result == fp64 || (result.IsNan() && fp64.IsNan());
  return fp64.IsFinite() && Closeness{kRescueTolerance}.Allows(Distance(fp64, result), result.Size());
}

void AddWithCare(const Element& reference, const Element& result, const Element& fp64,
                 const Closeness& closeness, Summary& summary) {
  Count(reference, summary.reference);
  Count(result, summary.result);
  Count(fp64, summary.fp64);
  if (reference.IsFinite()) AddSquare(reference.Size(), closeness.by_truth, summary.squares_size);
  const double distance = Distance(reference, result);
  if (closeness.by_truth && distance != 0 && IsConfirmed(reference, result, fp64)) {
    ++summary.confirmed;
    return;
  }
  // Both have overflowed, one to infinity and one, by the difference of two infinities, to NaN.
  const bool are_nan = reference.IsNan() && result.IsNan();
  if (closeness.by_truth && !reference.IsFinite() && !result.IsFinite() && !are_nan && fp64.IsFinite())
    return;
  AddSquare(Distance(fp64, reference), closeness.by_truth, summary.squares_reference);
  AddSquare(Distance(fp64, result), closeness.by_truth, summary.squares_result);
  AddSquare(distance, closeness.by_truth, summary.squares_between);
  if (std::isnan(distance)) {
    summary.mismatching += are_nan && closeness.equal_nan ? 0 : 1;
    summary.nan_on_one_side += are_nan ? 0 : 1;
    if (!are_nan) summary.max_abs = INFINITY;
    return;
  }
  summary.max_abs = std::max(summary.max_abs, distance);
  summary.inf_on_one_side += std::isinf(distance) ? 1 : 0;
  const bool is_close =
      distance == 0 || (std::isfinite(distance) && closeness.Allows(distance, result.Size()));
  summary.mismatching += is_close ? 0 : 1;
}

Summary SummarizeWithCare(const Block& block, int parts, const Closeness& closeness) {
  Summary summary;
  summary.elements = block.count;
  for (int64_t i = 0; i < block.count; ++i) {
    AddWithCare(ElementAt(block.reference, i, parts), ElementAt(block.result, i, parts),
                ElementAt(block.fp64, i, parts), closeness, summary);
  }
  return summary;
}

Summary FromSums(const BlockSums& sums, int64_t elements) {
  Summary summary;
  summary.elements = elements;
  summary.mismatching = sums.mismatching;
  summary.max_abs = sums.max_abs;
  summary.squares_reference = sums.reference;
  summary.squares_result = sums.result;
  summary.squares_between = sums.between;
  summary.squares_size = sums.size;
  return summary;
}

/// Straight from memory, without a copy as doubles unless something is not finite.
template <typename T, typename Fp64>
Summary SummarizeInPlace(const ElementOperands& operands, const T* reference, const T* result,
                         const Fp64* fp64, const Closeness& closeness) {
  return FoldPieces<Summary>(operands.elements(), [&](int64_t begin, int64_t end) {
    Summary summary;
    for (int64_t i = begin; i < end; i += kBlockElements) {
      const int64_t count = std::min(kBlockElements, end - i);
      const BlockSums sums = SumBlock(reference + i, result + i, fp64 + i, count,
                                      closeness.tolerance * closeness.scale, closeness.tolerance);
      if (sums.AreFinite()) {
        summary.Add(FromSums(sums, count));
      } else {
        BlockBuffers buffers;
        summary.Add(SummarizeWithCare(operands.Read(i, count, buffers), operands.parts(), closeness));
      }
    }
    return summary;
  });
}

double Rmse(double squares, int64_t elements) {
  return elements == 0 ? 0 : std::sqrt(squares / static_cast<double>(elements));
}

}  // namespace

void Summary::Add(const Summary& other) {
  elements += other.elements;
  mismatching += other.mismatching;
  nan_on_one_side += other.nan_on_one_side;
  inf_on_one_side += other.inf_on_one_side;
  max_abs = std::max(max_abs, other.max_abs);
  squares_reference += other.squares_reference;
  squares_result += other.squares_result;
  squares_between += other.squares_between;
  squares_size += other.squares_size;
  confirmed += other.confirmed;
  reference.Add(other.reference);
  result.Add(other.result);
  fp64.Add(other.fp64);
}

double Summary::rmse_reference() const {
  return Rmse(squares_reference, elements);
}

double Summary::rmse_result() const {
  return Rmse(squares_result, elements);
}

double Summary::rmse_between() const {
  return Rmse(squares_between, elements);
}

double Summary::rms_size() const {
  return Rmse(squares_size, elements);
}

Summary SummarizeBlock(const Block& block, int parts, const Closeness& closeness) {
  if (parts == 1) {
    const BlockSums sums = SumBlock(block.reference, block.result, block.fp64, block.count,
                                    closeness.tolerance * closeness.scale, closeness.tolerance);
    if (sums.AreFinite()) return FromSums(sums, block.count);
  }
  return SummarizeWithCare(block, parts, closeness);
}

Summary Summarize(const ElementOperands& operands, const Closeness& closeness) {
  const float* reference = operands.reference().Contiguous<float>();
  const float* result = operands.result().Contiguous<float>();
  if (reference != nullptr && result != nullptr) {
    if (!operands.has_fp64()) return SummarizeInPlace(operands, reference, result, reference, closeness);
    if (const double* fp64 = operands.fp64().Contiguous<double>())
      return SummarizeInPlace(operands, reference, result, fp64, closeness);
  }
  return FoldBlocks<Summary>(operands, [&](const Block& block, Summary& summary) {
    summary.Add(SummarizeBlock(block, operands.parts(), closeness));
  });
}

}  // namespace culprit::compare
