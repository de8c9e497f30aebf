// SPDX-License-Identifier: Apache-2.0
#include "check/memory/return_unwritten.h"

#include <set>

#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

using Storages = std::set<const c10::StorageImpl*>;

void AddStorage(const at::Tensor& tensor, Storages& storages) {
  if (tensor.defined() && tensor.has_storage()) storages.insert(tensor.storage().unsafeGetStorageImpl());
}

void AddStorages(const c10::IValue& value, Storages& storages) {
  graph::MapTensors(value, [&](const at::Tensor& tensor) { return AddStorage(tensor, storages), tensor; });
}

/// What is in use by more than the inputs that were left alone.
Storages StoragesInUse(const Results& results) {
  Storages storages;
  AddStorages(results.outputs, storages);
  if (results.input_gradients) AddStorages(*results.input_gradients, storages);
  for (const NamedTensor& gradient : results.parameter_gradients) AddStorage(gradient.tensor, storages);
  for (const NamedTensor& parameter : results.state.parameters) AddStorage(parameter.tensor, storages);
  for (const NamedTensor& buffer : results.state.buffers) AddStorage(buffer.tensor, storages);
  for (size_t i = 0; i < results.inputs.size(); ++i) {
    if (!results.unwritten[i]) AddStorages(results.inputs[i], storages);
  }
  return storages;
}

bool CanBeReturned(const at::Tensor& tensor, const Storages& in_use) {
  return tensor.defined() && tensor.has_storage() && tensor.device().is_cpu() &&
         !in_use.contains(tensor.storage().unsafeGetStorageImpl());
}

}  // namespace

void ReturnUnwritten(const std::vector<c10::IValue>& originals, Results& results) {
  const Storages in_use = StoragesInUse(results);
  for (size_t i = 0; i < results.inputs.size(); ++i) {
    if (!results.unwritten[i] || !results.inputs[i].isTensor()) continue;
    if (CanBeReturned(results.inputs[i].toTensor(), in_use)) results.inputs[i] = originals[i];
  }
}

}  // namespace culprit::check
