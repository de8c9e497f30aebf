// SPDX-License-Identifier: Apache-2.0
#include "graph/input_spec.h"

#include <algorithm>

#include "graph/argument.h"

namespace culprit::graph {

bool ConstantSpec::operator==(const ConstantSpec& other) const {
  return SameConstant(value, other.value);
}

std::optional<int64_t> ReachOf(const TensorSpec& tensor) {
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0) != tensor.sizes.end()) return 0;
  int64_t last = tensor.offset;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step)) return std::nullopt;
    if (__builtin_add_overflow(last, step, &last)) return std::nullopt;
  }
  int64_t reach = 0;
  if (__builtin_add_overflow(last, 1, &last)) return std::nullopt;
  const auto item = static_cast<int64_t>(c10::elementSize(tensor.dtype));
  if (__builtin_mul_overflow(last, item, &reach)) return std::nullopt;
  return reach;
}

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    // Saturates instead of overflowing: such a tensor is refused by ReachOf.
    if (__builtin_mul_overflow(stride, std::max<int64_t>(sizes[i], 1), &stride)) stride = INT64_MAX;
  }
  return strides;
}

}  // namespace culprit::graph
