// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/input_spec.h"

#include <algorithm>

#include "graph/ir/argument.h"

namespace culprit::graph {

bool ConstantSpec::operator==(const ConstantSpec& other) const {
  return SameConstant(value, other.value);
}

std::optional<int64_t> ReachedElements(c10::IntArrayRef sizes, c10::IntArrayRef strides, int64_t offset) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step)) return std::nullopt;
    if (__builtin_add_overflow(last, step, &last)) return std::nullopt;
  }
  if (__builtin_add_overflow(last, 1, &last)) return std::nullopt;
  return last;
}

std::optional<int64_t> ReachOf(const TensorSpec& tensor) {
  const std::optional<int64_t> elements = ReachedElements(tensor.sizes, tensor.strides, tensor.offset);
  const auto item = static_cast<int64_t>(c10::elementSize(tensor.dtype));
  int64_t reach = 0;
  if (!elements || __builtin_mul_overflow(*elements, item, &reach)) return std::nullopt;
  return reach;
}

at::ScalarType ElementTypeOf(const InputSpecs& specs, size_t storage) {
  std::optional<at::ScalarType> dtype = specs.storages[storage].dtype_hint;
  for (const InputSpec& input : specs.inputs) {
    ForEachTensor(input, [&](const TensorSpec& tensor) {
      if (tensor.storage == storage && !dtype) dtype = tensor.dtype;
    });
  }
  if (!dtype) return at::kByte;
  return c10::isComplexType(*dtype) ? c10::toRealValueType(*dtype) : c10::toUnderlying(*dtype);
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
