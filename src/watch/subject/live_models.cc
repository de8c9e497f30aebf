// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/live_models.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include <unordered_map>

#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::watch {
namespace {

bool IsPlain(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && graph::IsPlain(value.toTensor());
}

/// From the memory of one set of inputs to that of another.
class Moved {
 public:
  void Add(const c10::IValue& from, const c10::IValue& to) {
    if (IsPlain(from) && IsPlain(to))
      storages_.emplace(from.toTensor().storage().unsafeGetStorageImpl(), to.toTensor().storage());
  }

  c10::IValue Move(const c10::IValue& output) const {
    return graph::MapTensors(output, [&](const at::Tensor& tensor) {
      if (!IsPlain(tensor)) return tensor;
      const auto found = storages_.find(tensor.storage().unsafeGetStorageImpl());
      if (found == storages_.end()) return tensor;
      return graph::TensorOn(found->second, graph::Geometry::Of(tensor))
          .set_requires_grad(tensor.requires_grad());
    });
  }

 private:
  std::unordered_map<const c10::StorageImpl*, c10::Storage> storages_;
};

}  // namespace

const check::ModelState& LiveModel::state() const {
  static const check::ModelState& none = *new check::ModelState;
  return none;
}

base::Result<std::unique_ptr<check::Model>> LiveModel::InFp64(const std::vector<c10::IValue>&,
                                                              const repro::RunSettings&) const {
  return base::Diagnostic{{}, "what has happened cannot be cast to float64"};
}

c10::IValue CompiledItself::Call(std::vector<c10::IValue>& inputs) {
  return c10::ivalue::Tuple::create(compiled_.Call(inputs));
}

c10::IValue RecordedCall::Call(std::vector<c10::IValue>& inputs) {
  Moved moved;
  for (size_t i = 0; i < inputs.size(); ++i) moved.Add(kept_.values()[i], inputs[i]);
  for (const KeptInputs::Copied& copied : kept_.copied()) {
    moved.Add(copied.original, inputs[copied.input]);
    const at::AutoDispatchBelowADInplaceOrView unnoticed;
    if (IsPlain(inputs[copied.input])) inputs[copied.input].toTensor().copy_(copied.original.toTensor());
  }
  backend::Values outputs;
  outputs.reserve(outputs_.size());
  for (const c10::IValue& output : outputs_) outputs.push_back(moved.Move(output));
  return c10::ivalue::Tuple::create(std::move(outputs));
}

}  // namespace culprit::watch
