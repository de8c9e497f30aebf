// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/similarity.h"

#include <algorithm>
#include <cmath>

namespace culprit::compare {
namespace {

constexpr double kLeastLength = 1e-6;

struct Products {
  double reference = 0;
  double result = 0;
  double both = 0;

  void Add(const Products& other) {
    reference += other.reference;
    result += other.result;
    both += other.both;
  }
};

struct Overlap {
  int64_t both = 0;
  int64_t any = 0;

  void Add(const Overlap& other) {
    both += other.both;
    any += other.any;
  }
};

}  // namespace

double CosineSimilarity(const ElementOperands& operands) {
  const auto products = FoldBlocks<Products>(operands, [&](const Block& block, Products& sum) {
    for (int64_t i = 0; i < block.count * operands.parts(); ++i)
      sum.Add({block.reference[i] * block.reference[i], block.result[i] * block.result[i],
               block.reference[i] * block.result[i]});
  });
  const double length = std::max(std::sqrt(products.reference), kLeastLength) *
                        std::max(std::sqrt(products.result), kLeastLength);
  return products.both / length;
}

double IntersectionOverUnion(const ElementOperands& operands) {
  const auto overlap = FoldBlocks<Overlap>(operands, [](const Block& block, Overlap& sum) {
    for (int64_t i = 0; i < block.count; ++i) {
      const bool reference = block.reference[i] != 0;
      const bool result = block.result[i] != 0;
      sum.Add({reference && result, reference || result});
    }
  });
  return overlap.any == 0 ? 1 : static_cast<double>(overlap.both) / static_cast<double>(overlap.any);
}

}  // namespace culprit::compare
