// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_errors.h"

#include <algorithm>
#include <cmath>

#include "compare/elements/element.h"

namespace culprit::compare {
namespace {

/// Integers and bools are equal or not.
double DistanceOf(const Element& a, const Element& b, c10::ScalarType dtype) {
  const double distance = Distance(a, b);
  if (!c10::isIntegralType(dtype, /*includeBool=*/true)) return distance;
  return distance == 0 ? 0 : 1;
}

/// Of all that are added, every so many.
class EvenlySpread {
 public:
  void Add(const OffElement& element) {
    if (seen_++ % step_ != 0) return;
    elements_.push_back(element);
    if (elements_.size() < kMostOffElements) return;
    for (size_t i = 0; 2 * i < elements_.size(); ++i) elements_[i] = elements_[2 * i];
    elements_.resize(elements_.size() / 2);
    step_ *= 2;
  }
  std::vector<OffElement> Take() && { return std::move(elements_); }

 private:
  std::vector<OffElement> elements_;
  size_t seen_ = 0;
  size_t step_ = 1;
};

}  // namespace

std::vector<OffElement> FindOffElements(const ElementOperands& operands, const Closeness& closeness) {
  EvenlySpread off;
  BlockBuffers buffers;
  const int parts = operands.parts();
  for (int64_t begin = 0; begin < operands.elements(); begin += kBlockElements) {
    const Block block = operands.Read(begin, std::min(kBlockElements, operands.elements() - begin), buffers);
    if (SummarizeBlock(block, parts, closeness).mismatching == 0) continue;
    for (int64_t i = 0; i < block.count; ++i) {
      const Element reference = ElementAt(block.reference, i, parts);
      const Element result = ElementAt(block.result, i, parts);
      const double distance = Distance(reference, result);
      if (!std::isfinite(distance) || closeness.Allows(distance, result.Size())) continue;
      const double from_fp64 =
          operands.has_fp64() ? DistanceOf(reference, ElementAt(block.fp64, i, parts), operands.dtype()) : 0;
      off.Add({begin + i, DistanceOf(reference, result, operands.dtype()),
               std::isfinite(from_fp64) ? from_fp64 : 0});
    }
  }
  return std::move(off).Take();
}

void NoteMoved(const ElementOperands& operands, std::vector<OffElement>& elements) {
  BlockBuffers buffers;
  for (OffElement& element : elements) {
    const Block block = operands.Read(element.place, 1, buffers);
    const double moved = DistanceOf(ElementAt(block.reference, 0, operands.parts()),
                                    ElementAt(block.result, 0, operands.parts()), operands.dtype());
    if (std::isfinite(moved)) element.moved = std::max(element.moved, moved);
  }
}

}  // namespace culprit::compare
