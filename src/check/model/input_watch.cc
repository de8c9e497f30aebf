// SPDX-License-Identifier: Apache-2.0
#include "check/model/input_watch.h"

#include <cstring>
#include <map>

#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

std::vector<at::Tensor> TensorsIn(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  graph::MapTensors(value, [&](const at::Tensor& tensor) { return tensors.emplace_back(tensor); });
  return tensors;
}

bool HoldSameBytes(const c10::Storage& a, const c10::Storage& b) {
  return a.nbytes() == b.nbytes() && (a.nbytes() == 0 || std::memcmp(a.data(), b.data(), a.nbytes()) == 0);
}

}  // namespace

InputWatch::InputWatch(const std::vector<c10::IValue>& originals, const std::vector<c10::IValue>& given)
    : count_(given.size()) {
  for (size_t i = 0; i < given.size(); ++i) {
    const std::vector<at::Tensor> tensors = TensorsIn(given[i]);
    const std::vector<at::Tensor> sources = TensorsIn(originals[i]);
    for (size_t k = 0; k < tensors.size(); ++k) {
      const at::Tensor& tensor = tensors[k];
      if (!tensor.defined()) continue;
      Watched watched{.input = i, .tensor = tensor, .original = sources[k]};
      if (!tensor.is_inference()) watched.version = tensor._version();
      if (graph::IsPlain(tensor)) watched.geometry = graph::Geometry::Of(tensor);
      watched_.push_back(std::move(watched));
    }
  }
}

std::vector<bool> InputWatch::Unwritten() const {
  std::vector<bool> unwritten(count_, true);
  // Many inputs can be views of one large memory, which is compared once.
  std::map<const c10::StorageImpl*, bool> same_bytes;
  for (const auto& [input, tensor, original, version, geometry] : watched_) {
    if (version && tensor._version() != *version) unwritten[input] = false;
    if (!geometry) continue;
    if (graph::Geometry::Of(tensor) != *geometry) unwritten[input] = false;
    if (tensor.is_same(original) || !tensor.device().is_cpu()) continue;
    const auto [place, is_new] = same_bytes.try_emplace(tensor.storage().unsafeGetStorageImpl());
    if (is_new) place->second = HoldSameBytes(tensor.storage(), original.storage());
    if (!place->second) unwritten[input] = false;
  }
  return unwritten;
}

}  // namespace culprit::check
