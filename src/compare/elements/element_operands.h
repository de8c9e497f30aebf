// SPDX-License-Identifier: Apache-2.0
//
// The three tensors of a comparison, side by side and element by element. Elements are numbered in the order
// in which they lie in the memory of the reference, so that channels-last tensors are read in one run too.
// Without an fp64 reference, the reference stands in for it.
#pragma once

#include <optional>
#include <vector>

#include "compare/elements/element_reader.h"
#include "process/parallel.h"

namespace culprit::compare {

/// Corresponding pieces of the three, as doubles (two per element if complex).
struct Block {
  int64_t begin = 0;
  int64_t count = 0;
  const double* reference = nullptr;
  const double* result = nullptr;
  const double* fp64 = nullptr;
};

/// Elements per block: three of them fit into the innermost cache.
constexpr int64_t kBlockElements = 1024;

/// Where one thread keeps a block: 48 KB.
class BlockBuffers {
 public:
  BlockBuffers() : doubles_(3 * kOperand) {}
  double* At(int64_t operand) { return doubles_.data() + operand * kOperand; }

 private:
  static constexpr int64_t kOperand = 2 * kBlockElements;

  std::vector<double> doubles_;
};

class ElementOperands {
 public:
  /// Tensors of the same sizes; the first two have the same dtype, fp64 is float64 or, if they are complex,
  /// complex128.
  ElementOperands(const at::Tensor& reference, const at::Tensor& result,
                  const std::optional<at::Tensor>& fp64);

  int64_t elements() const { return elements_; }
  int parts() const { return reference_.parts(); }
  bool has_fp64() const { return has_fp64_; }
  c10::ScalarType dtype() const { return result_.tensor().scalar_type(); }
  const ElementReader& reference() const { return reference_; }
  const ElementReader& result() const { return result_; }
  const ElementReader& fp64() const { return fp64_; }

  /// At most kBlockElements elements, valid until the buffers are used again.
  Block Read(int64_t begin, int64_t count, BlockBuffers& buffers) const;

  /// The place of an element in the tensors as they were given.
  std::vector<int64_t> IndexOf(int64_t element) const;

 private:
  void KeepInequality(const Block& block, double* reference) const;

  /// The dimensions of the given tensors, by falling stride of the reference.
  std::vector<int64_t> order_;
  int64_t elements_;
  bool has_fp64_;
  ElementReader reference_;
  ElementReader result_;
  ElementReader fp64_;
};

/// Folds `part(begin, end)` over pieces of [0, elements) with Part::Add, in parallel. The pieces and their
/// order depend on `elements` only, so that sums do not depend on the number of threads.
template <typename Part, typename Function>
Part FoldPieces(int64_t elements, const Function& part) {
  constexpr int64_t kMostPieces = 1024;
  constexpr int64_t kLeast = 64 * kBlockElements;
  const int64_t even = (elements / kMostPieces / kBlockElements + 1) * kBlockElements;
  const int64_t piece = std::max(kLeast, even);
  std::vector<Part> parts(static_cast<size_t>((elements + piece - 1) / piece));
  process::ParallelFor(0, elements, piece,
                       [&](int64_t begin, int64_t end) { parts[begin / piece] = part(begin, end); });
  Part whole;
  for (const Part& each : parts) whole.Add(each);
  return whole;
}

/// The same block by block: `add(block, part)`.
template <typename Part, typename Function>
Part FoldBlocks(const ElementOperands& operands, const Function& add) {
  return FoldPieces<Part>(operands.elements(), [&](int64_t begin, int64_t end) {
    Part part;
    BlockBuffers buffers;
    for (int64_t i = begin; i < end; i += kBlockElements)
      add(operands.Read(i, std::min(kBlockElements, end - i), buffers), part);
    return part;
  });
}

}  // namespace culprit::compare
