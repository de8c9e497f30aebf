// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/element_operands.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/internal_error.h"

namespace culprit::compare {
namespace {

/// From here on not every int64 is a double.
constexpr double kInexact = 0x1p53;

std::vector<int64_t> ByFallingStride(const at::Tensor& tensor) {
  std::vector<int64_t> order(static_cast<size_t>(tensor.dim()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return tensor.stride(a) > tensor.stride(b); });
  return order;
}

}  // namespace

ElementOperands::ElementOperands(const at::Tensor& reference, const at::Tensor& result,
                                 const std::optional<at::Tensor>& fp64)
    : order_(ByFallingStride(reference)),
      elements_(reference.numel()),
      has_fp64_(fp64.has_value()),
      reference_(reference.detach().permute(order_)),
      result_(result.detach().permute(order_)),
      fp64_(fp64.value_or(reference).detach().permute(order_)) {
  CULPRIT_CHECK(result.sizes() == reference.sizes() && fp64.value_or(reference).sizes() == reference.sizes(),
                "operands of different sizes");
  CULPRIT_CHECK(result_.parts() == reference_.parts() && fp64_.parts() == reference_.parts(),
                "operands both real and complex");
}

Block ElementOperands::Read(int64_t begin, int64_t count, BlockBuffers& buffers) const {
  const auto read = [&](const ElementReader& reader, int operand) -> const double* {
    if (const double* direct = reader.Contiguous<double>()) return direct + begin;
    reader.Read(begin, count, buffers.At(operand));
    return buffers.At(operand);
  };
  Block block{begin, count, read(reference_, 0), read(result_, 1)};
  if (dtype() == at::kLong || dtype() == at::kUInt64) KeepInequality(block, buffers.At(0));
  block.fp64 = has_fp64_ ? read(fp64_, 2) : block.reference;
  return block;
}

/// Different int64 that are the same double are moved apart by the smallest step.
void ElementOperands::KeepInequality(const Block& block, double* reference) const {
  for (int64_t i = 0; i < block.count; ++i) {
    if (reference[i] != block.result[i] || std::abs(reference[i]) < kInexact) continue;
    const int64_t a = reference_.Int64At(block.begin + i);
    const int64_t b = result_.Int64At(block.begin + i);
    if (a != b) reference[i] = std::nextafter(reference[i], a < b ? -INFINITY : INFINITY);
  }
}

std::vector<int64_t> ElementOperands::IndexOf(int64_t element) const {
  std::vector<int64_t> index(order_.size());
  for (size_t i = order_.size(); i-- > 0;) {
    const int64_t size = reference_.tensor().size(static_cast<int64_t>(i));
    index[order_[i]] = element % size;
    element /= size;
  }
  return index;
}

}  // namespace culprit::compare
