// SPDX-License-Identifier: Apache-2.0
#include "check/noise/nudge_inputs.h"

#include <c10/core/Storage.h>

#include <map>
#include <set>

#include "check/model/clone_inputs.h"
#include "check/noise/nudge.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

void NudgeAnywhere(const c10::Storage& storage, at::ScalarType dtype, uint64_t pattern) {
  if (storage.device().is_cpu()) {
    NudgeStorage(storage, dtype, {pattern});
    return;
  }
  const at::Tensor all =
      graph::TensorOn(storage, {{static_cast<int64_t>(storage.nbytes())}, {1}, 0, at::kByte});
  const at::Tensor on_cpu = all.cpu();
  NudgeStorage(on_cpu.storage(), dtype, {pattern});
  all.copy_(on_cpu);
}

struct Memory {
  c10::Storage storage;
  std::set<at::ScalarType> dtypes;
};

}  // namespace

std::vector<c10::IValue> NudgeInputs(const std::vector<c10::IValue>& inputs, uint64_t pattern) {
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
    if (memory.dtypes.size() == 1) NudgeAnywhere(memory.storage, *memory.dtypes.begin(), pattern);
  }
  return nudged;
}

}  // namespace culprit::check
