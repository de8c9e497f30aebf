// SPDX-License-Identifier: Apache-2.0
#include "check/nudge_inputs.h"

#include <c10/core/Storage.h>

#include <limits>
#include <map>
#include <set>

#include "check/clone_inputs.h"
#include "graph/map_tensors.h"
#include "graph/tensor_copy.h"

namespace culprit::check {
namespace {

/// Neighbours of a floating-point number differ by one when their bits are read as an integer.
template <typename Bits>
void Nudge(void* data, size_t bytes, int exponent_bits) {
  constexpr int kWidth = std::numeric_limits<Bits>::digits;
  const Bits magnitude_mask = std::numeric_limits<Bits>::max() >> 1;
  const Bits infinity = static_cast<Bits>(((Bits{1} << exponent_bits) - 1) << (kWidth - 1 - exponent_bits));
  Bits* numbers = static_cast<Bits*>(data);
  for (size_t i = 0; i < bytes / sizeof(Bits); ++i) {
    const Bits magnitude = numbers[i] & magnitude_mask;
    if (magnitude == 0 || magnitude >= infinity) continue;
    // Fibonacci hashing: no pattern that a model's own pattern could cancel.
    const bool up = ((i + 1) * 0x9E3779B97F4A7C15u) >> 63 != 0 && magnitude + 1 < infinity;
    numbers[i] += up ? 1 : -1;
  }
}

void NudgeOnCpu(const c10::Storage& storage, at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return Nudge<uint16_t>(storage.mutable_data(), storage.nbytes(), 5);
    case at::kBFloat16:
      return Nudge<uint16_t>(storage.mutable_data(), storage.nbytes(), 8);
    case at::kFloat:
      return Nudge<uint32_t>(storage.mutable_data(), storage.nbytes(), 8);
    case at::kDouble:
      return Nudge<uint64_t>(storage.mutable_data(), storage.nbytes(), 11);
    default:
      return;
  }
}

void NudgeAll(const c10::Storage& storage, at::ScalarType dtype) {
  if (storage.device().is_cpu()) return NudgeOnCpu(storage, dtype);
  const at::Tensor all =
      graph::TensorOn(storage, {{static_cast<int64_t>(storage.nbytes())}, {1}, 0, at::kByte});
  const at::Tensor on_cpu = all.cpu();
  NudgeOnCpu(on_cpu.storage(), dtype);
  all.copy_(on_cpu);
}

struct Memory {
  c10::Storage storage;
  std::set<at::ScalarType> dtypes;
};

}  // namespace

std::vector<c10::IValue> NudgeInputs(const std::vector<c10::IValue>& inputs) {
  std::vector<c10::IValue> nudged = CloneInputs(inputs);
  std::map<const c10::StorageImpl*, Memory> memories;
  const auto collect = [&](const at::Tensor& tensor) {
    if (!graph::IsPlain(tensor) || tensor.is_meta()) return tensor;
    Memory& memory = memories[tensor.storage().unsafeGetStorageImpl()];
    memory.storage = tensor.storage();
    memory.dtypes.insert(c10::toRealValueType(tensor.scalar_type()));
    return tensor;
  };
  for (const c10::IValue& value : nudged) graph::MapTensors(value, collect);
  for (const auto& [key, memory] : memories) {
    if (memory.dtypes.size() == 1) NudgeAll(memory.storage, *memory.dtypes.begin());
  }
  return nudged;
}

}  // namespace culprit::check
