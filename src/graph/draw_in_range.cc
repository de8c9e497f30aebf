// SPDX-License-Identifier: Apache-2.0
#include "graph/draw_in_range.h"

#include <ATen/ops/full.h>

namespace culprit::graph {
namespace {

using Kind = SeededNumbers::Kind;

// As equal as integers allow: 7 in 3 parts is 3, 2, 2.
InlineNumbers PartsOf(int64_t sum, int64_t count, at::ScalarType dtype) {
  at::Tensor parts = at::full({count}, sum / count, dtype);
  parts.narrow(0, 0, sum % count).add_(1);
  return {dtype, {static_cast<const char*>(parts.data_ptr()), parts.nbytes()}};
}

}  // namespace

StorageContents DrawInRange(const std::optional<InputRange>& range, at::ScalarType dtype, int64_t count,
                            uint64_t seed) {
  SeededNumbers numbers{.dtype = dtype, .count = count, .seed = seed};
  if (c10::isFloatingType(dtype)) {
    if (range && range->kind == InputRange::Kind::kUnit) numbers.kind = Kind::kUniform;
    return numbers;
  }
  numbers.kind = Kind::kInteger;
  // Zero is an index that is valid everywhere.
  numbers.high = dtype == at::kBool ? 2 : 1;
  if (!range || dtype == at::kBool) return numbers;
  if (range->kind == InputRange::Kind::kSumsTo && count > 0) return PartsOf(range->bound, count, dtype);
  if (range->kind == InputRange::Kind::kBelow) numbers.high = std::max<int64_t>(range->bound, 1);
  if (dtype == at::kByte || dtype == at::kChar) numbers.high = std::min<int64_t>(numbers.high, INT8_MAX);
  return numbers;
}

bool DrawInRanges(InputSpecs& specs, const std::vector<std::optional<InputRange>>& ranges, uint64_t seed) {
  bool any = false;
  for (size_t i = 0; i < specs.inputs.size() && i < ranges.size(); ++i) {
    const auto* tensor = std::get_if<TensorSpec>(&specs.inputs[i]);
    if (tensor == nullptr || !ranges[i] || c10::isComplexType(tensor->dtype)) continue;
    StorageSpec& storage = specs.storages[tensor->storage];
    const auto item = static_cast<int64_t>(c10::elementSize(tensor->dtype));
    if (!std::holds_alternative<std::monostate>(storage.contents) || storage.bytes % item != 0) continue;
    storage.contents = DrawInRange(ranges[i], tensor->dtype, storage.bytes / item, seed + i);
    any = true;
  }
  return any;
}

}  // namespace culprit::graph
