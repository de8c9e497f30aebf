// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/detail.h"

#include <algorithm>
#include <cmath>

#include "compare/elements/element.h"
#include "compare/elements/ulp.h"

namespace culprit::compare {
namespace {

/// The smallest t with distance <= t * scale + t * size. Rounding may leave the quotient a hair too small.
double NeededTolerance(double distance, double size, double scale) {
  double needed = distance / (scale + size);
  if (!std::isfinite(needed)) return INFINITY;
  const auto allows = [&] { return Closeness{.tolerance = needed, .scale = scale}.Allows(distance, size); };
  while (!allows()) needed = std::nextafter(needed, INFINITY);
  return needed;
}

size_t DecadeOf(double needed) {
  const double exponent = std::floor(std::log10(needed));
  return static_cast<size_t>(std::clamp<double>(exponent, Histogram::kFirst, Histogram::kLast) -
                             Histogram::kFirst);
}

struct Part {
  double needed = 0;
  /// Of the element that needs most, or -1.
  int64_t worst = -1;
  double max_rel = 0;
  uint64_t max_ulp = 0;
  Histogram histogram;

  void Add(const Part& other) {
    if (other.needed > needed) {
      needed = other.needed;
      worst = other.worst;
    }
    max_rel = std::max(max_rel, other.max_rel);
    max_ulp = std::max(max_ulp, other.max_ulp);
    histogram.equal += other.histogram.equal;
    histogram.not_finite += other.histogram.not_finite;
    for (size_t i = 0; i < histogram.decades.size(); ++i) histogram.decades[i] += other.histogram.decades[i];
  }
};

class DetailPass {
 public:
  DetailPass(const ElementOperands& operands, bool equal_nan, double scale)
      : parts_(operands.parts()), dtype_(operands.dtype()), equal_nan_(equal_nan), scale_(scale) {}

  void AddBlock(const Block& block, Part& part) const {
    if (SummarizeBlock(block, parts_, {0, equal_nan_}).all_equal()) {
      part.histogram.equal += block.count;
      return;
    }
    for (int64_t i = 0; i < block.count; ++i) {
      AddElement(block.begin + i, ElementAt(block.reference, i, parts_), ElementAt(block.result, i, parts_),
                 part);
    }
  }

 private:
  void AddElement(int64_t place, const Element& reference, const Element& result, Part& part) const {
    if (reference == result || (equal_nan_ && reference.IsNan() && result.IsNan())) {
      ++part.histogram.equal;
      return;
    }
    const double distance = Distance(reference, result);
    const double needed = NeededTolerance(distance, result.Size(), scale_);
    if (needed > part.needed) {
      part.needed = needed;
      part.worst = place;
    }
    if (std::isfinite(needed)) {
      ++part.histogram.decades[DecadeOf(needed)];
    } else {
      ++part.histogram.not_finite;
    }
    part.max_rel = std::max(part.max_rel, std::isfinite(distance) ? distance / reference.Size() : INFINITY);
    if (!std::isnan(distance)) {
      part.max_ulp = std::max({part.max_ulp, UlpDistance(reference.real, result.real, dtype_),
                               UlpDistance(reference.imaginary, result.imaginary, dtype_)});
    }
  }

  int parts_;
  c10::ScalarType dtype_;
  bool equal_nan_;
  double scale_;
};

WorstElement ReadElement(const ElementOperands& operands, int64_t place) {
  BlockBuffers buffers;
  const Block block = operands.Read(place, 1, buffers);
  const auto number = [&](const double* operand) {
    const Element element = ElementAt(operand, 0, operands.parts());
    return c10::complex<double>(element.real, element.imaginary);
  };
  WorstElement worst{operands.IndexOf(place), number(block.reference), number(block.result)};
  if (operands.has_fp64()) worst.fp64 = number(block.fp64);
  return worst;
}

}  // namespace

DetailAndTolerance ComputeDetail(const ElementOperands& operands, bool equal_nan, double scale) {
  const DetailPass pass(operands, equal_nan, scale);
  const auto part =
      FoldBlocks<Part>(operands, [&](const Block& block, Part& sum) { pass.AddBlock(block, sum); });
  Detail detail{part.max_rel, part.max_ulp, std::nullopt, part.histogram};
  if (part.worst >= 0) detail.worst = ReadElement(operands, part.worst);
  return {std::move(detail), part.needed};
}

}  // namespace culprit::compare
