// SPDX-License-Identifier: Apache-2.0
#include "check/memory/set_constants_apart.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "check/memory/storage_on.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

struct Memory {
  c10::Storage storage;
  bool is_floating = false;
};
using Memories = std::map<const c10::StorageImpl*, Memory>;

const c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
  return tensor.storage().unsafeGetStorageImpl();
}

void AddMemory(const c10::IValue& value, Memories& memories) {
  graph::MapTensors(value, [&](const at::Tensor& tensor) {
    if (tensor.defined() && graph::IsPlain(tensor) && tensor.device().is_cpu() && tensor.numel() > 0)
      memories.emplace(StorageOf(tensor), Memory{tensor.storage(), tensor.is_floating_point()});
    return tensor;
  });
}

Memories MemoryOfInputs(const std::vector<Results>& calls) {
  Memories memories;
  for (const Results& call : calls) {
    for (const c10::IValue& input : call.inputs) AddMemory(input, memories);
  }
  return memories;
}

/// What outputs of more than one call lie on, unless it is an input's.
Memories ReturnedAgain(const std::vector<Results>& calls) {
  const Memories inputs = MemoryOfInputs(calls);
  Memories seen, again;
  for (const Results& call : calls) {
    Memories returned;
    AddMemory(call.outputs, returned);
    for (const auto& [impl, memory] : returned) {
      if (!inputs.contains(impl) && !seen.emplace(impl, memory).second) again.emplace(impl, memory);
    }
  }
  return again;
}

void AddFrozen(const std::vector<Results>& calls, const std::set<size_t>& frozen, Memories& memories) {
  for (const Results& call : calls) {
    for (const size_t index : frozen) {
      if (index < call.inputs.size()) AddMemory(call.inputs[index], memories);
    }
  }
}

/// Holds other bytes while it lives. The model may compute with them, so they are harmless: zeros, which are
/// valid positions, or tiny floating-point numbers.
class Scribbled {
 public:
  explicit Scribbled(const Memory& memory)
      : data_(static_cast<char*>(memory.storage.mutable_data())),
        before_(data_, data_ + memory.storage.nbytes()) {
    constexpr char kTiny = 1;
    const bool has_zeros_only = std::ranges::all_of(before_, [](char byte) { return byte == 0; });
    mark_ = has_zeros_only && memory.is_floating ? kTiny : 0;
    is_changed_ = !has_zeros_only || memory.is_floating;
    if (is_changed_) std::memset(data_, mark_, before_.size());
  }
  ~Scribbled() {
    if (is_changed_) std::memcpy(data_, before_.data(), before_.size());
  }
  Scribbled(const Scribbled&) = delete;
  Scribbled& operator=(const Scribbled&) = delete;

  bool was_written() const {
    return is_changed_ &&
           !std::all_of(data_, data_ + before_.size(), [&](char byte) { return byte == mark_; });
  }

 private:
  char* data_;
  std::vector<char> before_;
  char mark_ = 0;
  /// Zeros that may be positions stay as they are.
  bool is_changed_ = false;
};

void LeaveOutWritten(Memories& memories, const FurtherCall& call_again) {
  std::map<const c10::StorageImpl*, Scribbled> scribbled;
  for (const auto& [impl, memory] : memories) scribbled.try_emplace(impl, memory);
  call_again();
  for (const auto& [impl, now] : scribbled) {
    if (now.was_written()) memories.erase(impl);
  }
}

}  // namespace

void SetConstantsApart(std::vector<Results>& calls, const std::set<size_t>& frozen,
                       const FurtherCall& call_again) {
  Memories constants = ReturnedAgain(calls);
  if (!constants.empty() && call_again) LeaveOutWritten(constants, call_again);
  AddFrozen(calls, frozen, constants);
  if (constants.empty()) return;
  for (Results& call : calls) {
    call.outputs = graph::MapTensors(call.outputs, [&](const at::Tensor& tensor) {
      if (!tensor.defined() || !graph::IsPlain(tensor) || !constants.contains(StorageOf(tensor)))
        return tensor;
      return graph::TensorOn(StorageOn(tensor.storage()), graph::Geometry::Of(tensor))
          .set_requires_grad(tensor.requires_grad());
    });
  }
}

}  // namespace culprit::check
