// SPDX-License-Identifier: Apache-2.0
#include "check/memory/share_repeated.h"

#include <cstring>
#include <map>
#include <set>

#include "check/memory/storage_on.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

using Function = c10::function_ref<at::Tensor(const at::Tensor&)>;
using Storages = std::map<const c10::StorageImpl*, c10::Storage>;

/// In a fixed order, without the state: that is the model's, not a call's.
void MapResults(Results& results, Function function) {
  results.outputs = graph::MapTensors(results.outputs, function);
  if (results.input_gradients)
    results.input_gradients = graph::MapTensors(*results.input_gradients, function);
  for (NamedTensor& gradient : results.parameter_gradients) gradient.tensor = function(gradient.tensor);
  for (c10::IValue& input : results.inputs) input = graph::MapTensors(input, function);
}

std::vector<at::Tensor> TensorsOf(Results results) {
  std::vector<at::Tensor> tensors;
  MapResults(results, [&](const at::Tensor& tensor) { return tensors.emplace_back(tensor); });
  return tensors;
}

bool IsPlainMemory(const at::Tensor& tensor) {
  return tensor.defined() && graph::IsPlain(tensor) && tensor.device().is_cpu();
}

const c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
  return tensor.storage().unsafeGetStorageImpl();
}

bool HoldSameBytes(const c10::Storage& a, const c10::Storage& b) {
  return a.nbytes() == b.nbytes() && a.nbytes() > 0 && std::memcmp(a.data(), b.data(), a.nbytes()) == 0;
}

/// What lies on a storage lies on another one then.
void MoveTo(const Storages& others, Results& results) {
  MapResults(results, [&](const at::Tensor& tensor) {
    if (!tensor.defined() || !graph::IsPlain(tensor)) return tensor;
    const auto found = others.find(StorageOf(tensor));
    if (found == others.end()) return tensor;
    return graph::TensorOn(found->second, graph::Geometry::Of(tensor))
        .set_requires_grad(tensor.requires_grad());
  });
}

/// Which storages of two calls take the same part in them. Those that do not correspond one to one are left
/// out.
class Correspondence {
 public:
  void Add(const at::Tensor& first, const at::Tensor& further) {
    const bool are_alike = IsPlainMemory(first) && IsPlainMemory(further) &&
                           graph::Geometry::Of(first) == graph::Geometry::Of(further) &&
                           StorageOf(first) != StorageOf(further);
    if (!are_alike) {
      Exclude(first, first_);
      Exclude(further, further_);
      return;
    }
    Note(first_, first, further);
    Note(further_, further, first);
  }

  /// Of a model that changes between its calls.
  void Exclude(const ModelState& first, const ModelState& further) {
    for (const auto& list : {first.parameters, first.buffers}) {
      for (const NamedTensor& held : list) Exclude(held.tensor, first_);
    }
    for (const auto& list : {further.parameters, further.buffers}) {
      for (const NamedTensor& held : list) Exclude(held.tensor, further_);
    }
  }

  /// For each storage of the further call that holds what one of the first holds: another one on that.
  Storages Shared() const {
    Storages shared;
    for (const auto& [storage, place] : further_) {
      if (!place.tensor.defined() || place.is_excluded) continue;
      const Place& other = first_.at(StorageOf(place.tensor));
      if (!other.is_excluded && HoldSameBytes(place.tensor.storage(), other.tensor.storage()))
        shared.emplace(storage, StorageOn(place.tensor.storage()));
    }
    return shared;
  }

 private:
  struct Place {
    /// On the storage of the other call.
    at::Tensor tensor;
    bool is_excluded = false;
  };
  using Places = std::map<const c10::StorageImpl*, Place>;

  static void Exclude(const at::Tensor& tensor, Places& places) {
    if (tensor.defined() && tensor.has_storage()) places[StorageOf(tensor)].is_excluded = true;
  }

  static void Note(Places& places, const at::Tensor& tensor, const at::Tensor& other) {
    Place& place = places[StorageOf(tensor)];
    if (place.tensor.defined() && StorageOf(place.tensor) != StorageOf(other)) place.is_excluded = true;
    place.tensor = other;
  }

  Places first_;
  Places further_;
};

}  // namespace

void ShareRepeated(const Results& first, Results& further) {
  const std::vector<at::Tensor> before = TensorsOf(first);
  const std::vector<at::Tensor> now = TensorsOf(further);
  if (before.size() != now.size()) return;
  Correspondence correspondence;
  for (size_t i = 0; i < now.size(); ++i) correspondence.Add(before[i], now[i]);
  correspondence.Exclude(first.state, further.state);
  const Storages shared = correspondence.Shared();
  if (!shared.empty()) MoveTo(shared, further);
}

Results Repeated(const Results& first, const Results& of_another_run) {
  std::set<const c10::StorageImpl*> excluded;
  for (const at::Tensor& tensor : TensorsOf(of_another_run)) {
    if (tensor.defined() && tensor.has_storage()) excluded.insert(StorageOf(tensor));
  }
  Storages storages;
  for (const at::Tensor& tensor : TensorsOf(first)) {
    if (!tensor.defined() || !graph::IsPlain(tensor) || excluded.contains(StorageOf(tensor))) continue;
    const auto [place, is_new] = storages.try_emplace(StorageOf(tensor));
    if (is_new) place->second = StorageOn(tensor.storage());
  }
  Results further = first;
  MoveTo(storages, further);
  return further;
}

}  // namespace culprit::check
