// SPDX-License-Identifier: Apache-2.0
#include "faults/outputs.h"

#include <c10/util/FunctionRef.h>

#include <limits>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "faults/wrong_numbers.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::faults {
namespace {

using Change = c10::function_ref<at::Tensor(const at::Tensor&)>;

const void* MemoryOf(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return tensor.unsafeGetTensorImpl();
  return tensor.storage().unsafeGetStorageImpl();
}

void ChangeOutputs(Incident& incident, Change change) {
  std::unordered_set<const void*> memory_of_inputs;
  for (const c10::IValue& input : incident.inputs) {
    graph::MapTensors(input, [&](const at::Tensor& tensor) {
      if (tensor.defined()) memory_of_inputs.insert(MemoryOf(tensor));
      return tensor;
    });
  }
  std::unordered_map<const c10::TensorImpl*, at::Tensor> changed;
  // Tensors are known by their address, so none may be freed meanwhile.
  const backend::Values originals = incident.outputs;
  for (const size_t index : incident.site.outputs) {
    incident.outputs.at(index) = graph::MapTensors(originals.at(index), [&](const at::Tensor& tensor) {
      if (!tensor.defined() || memory_of_inputs.contains(MemoryOf(tensor))) return tensor;
      const auto [entry, is_new] = changed.try_emplace(tensor.unsafeGetTensorImpl());
      if (is_new) entry->second = change(tensor);
      return entry->second;
    });
  }
}

/// Copies of storages, each made once.
class StorageCopies {
 public:
  struct Copy {
    at::Tensor tensor;
    bool is_first = false;
  };

  /// The same tensor on a copy of its storage.
  Copy Of(const at::Tensor& tensor) {
    const auto [entry, is_new] = copies_.try_emplace(tensor.storage().unsafeGetStorageImpl());
    if (is_new) entry->second = graph::CopyStorage(tensor.storage());
    return {graph::TensorOn(entry->second, graph::Geometry::Of(tensor)), is_new};
  }

 private:
  std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
};

bool CanBeCopied(const at::Tensor& tensor) {
  return graph::IsPlain(tensor) && !tensor.requires_grad();
}

/// Everything on the storage.
at::Tensor WholeOf(const at::Tensor& tensor) {
  const auto elements = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  return graph::TensorOn(tensor.storage(),
                         {.sizes = {elements}, .strides = {1}, .dtype = tensor.scalar_type()});
}

}  // namespace

void MakeOutputsWrong(Incident& incident) {
  StorageCopies copies;
  ChangeOutputs(incident, [&](const at::Tensor& tensor) {
    if (!CanBeCopied(tensor)) return OffByMuch(tensor);
    const StorageCopies::Copy copy = copies.Of(tensor);
    // Once: of a bool, the opposite of the opposite would be right again.
    if (copy.is_first) Scribble(WholeOf(copy.tensor));
    return copy.tensor;
  });
}

void MakeOutputsNan(Incident& incident) {
  StorageCopies copies;
  ChangeOutputs(incident, [&](const at::Tensor& tensor) {
    const bool can_be_nan = tensor.is_floating_point() || tensor.is_complex();
    if (!can_be_nan || !CanBeCopied(tensor) || tensor.numel() == 0) return WithNan(tensor);
    at::Tensor copy = copies.Of(tensor).tensor;
    copy.as_strided({}, {}).fill_(std::numeric_limits<double>::quiet_NaN());
    return copy;
  });
}

void ChangeShapes(Incident& incident) {
  ChangeOutputs(incident, OfOtherShape);
}

void ChangeDtypes(Incident& incident) {
  ChangeOutputs(incident, OfOtherDtype);
}

void MakeGradientsWrong(Incident& incident) {
  ChangeOutputs(incident, WithWrongGradient);
}

void WriteIntoInput(Incident& incident) {
  if (!incident.site.input) return;
  const c10::IValue& input = incident.inputs.at(*incident.site.input);
  if (input.isTensor() && input.toTensor().defined()) Scribble(input.toTensor());
}

void MakeOutputsWrongLate(Incident& incident) {
  if (incident.call >= 2) MakeOutputsWrong(incident);
}

void MakeOutputsWrongSometimes(Incident& incident) {
  // Asks the kernel: what is drawn from a seed would be the same in every fork.
  std::random_device kernel("/dev/urandom");
  if (kernel() % incident.argument == 0) MakeOutputsWrong(incident);
}

void MakeOutputsWrongAbove(Incident& incident) {
  const int64_t largest = LargestTensorAt(incident.site, incident.inputs);
  if (static_cast<uint64_t>(largest) > incident.argument) MakeOutputsWrong(incident);
}

}  // namespace culprit::faults
