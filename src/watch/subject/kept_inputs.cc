// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/kept_inputs.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_set>

#include "check/model/clone_inputs.h"
#include "graph/analysis/memory_sets.h"
#include "graph/tensors/tensor_copy.h"
#include "store/file_contents.h"

namespace culprit::watch {
namespace {

const at::Tensor* DefinedTensor(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return nullptr;
  return &value.toTensor();
}

/// Inference tensors have none, and nothing that is no tensor.
uint32_t VersionOf(const c10::IValue& value) {
  const at::Tensor* tensor = DefinedTensor(value);
  return tensor == nullptr || tensor->is_inference() ? 0 : static_cast<uint32_t>(tensor->_version());
}

const void* MemoryOf(const c10::IValue& value) {
  const at::Tensor* tensor = DefinedTensor(value);
  if (tensor == nullptr || !tensor->has_storage()) return nullptr;
  return tensor->storage().unsafeGetStorageImpl();
}

bool HasPlainMemory(const c10::IValue& value) {
  const at::Tensor* tensor = DefinedTensor(value);
  return tensor != nullptr && tensor->device().is_cpu() && graph::IsPlain(*tensor);
}

std::span<const std::byte> CoveredBytes(const at::Tensor& tensor) {
  const auto begin = static_cast<size_t>(tensor.storage_offset()) * tensor.element_size();
  const size_t end = graph::ReachedBytes(graph::Geometry::Of(tensor));
  if (end <= begin) return {};
  return store::BytesOf(tensor.storage()).subspan(begin, end - begin);
}

}  // namespace

MemoryHashes::MemoryHashes(const backend::Values& values) : values_(values), hashes_(HashesOf(values)) {}

std::vector<std::optional<store::ContentHash>> MemoryHashes::HashesOf(const backend::Values& values) {
  std::map<std::pair<const std::byte*, size_t>, store::ContentHash> known;
  std::vector<std::optional<store::ContentHash>> hashes(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (!HasPlainMemory(values[i])) continue;
    const std::span<const std::byte> bytes = CoveredBytes(values[i].toTensor());
    const auto [place, is_new] = known.try_emplace({bytes.data(), bytes.size()});
    if (is_new) place->second = store::ContentHash::Of(bytes);
    hashes[i] = place->second;
  }
  return hashes;
}

std::vector<size_t> MemoryHashes::Changed() const {
  const std::vector<std::optional<store::ContentHash>> now = HashesOf(values_);
  std::vector<size_t> changed;
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i] != hashes_[i]) changed.push_back(i);
  }
  return changed;
}

std::vector<bool> WrittenPlaceholders(const graph::Graph& graph) {
  graph::MemorySets sets(graph);
  const std::vector<bool> is_written = graph::WrittenSets(graph, sets);
  std::vector<bool> written;
  for (const graph::Placeholder& placeholder : graph.placeholders())
    written.push_back(is_written[sets.SetOf(placeholder.value)]);
  return written;
}

KeptInputs::KeptInputs(const backend::Values& inputs, const std::vector<bool>& written) : values_(inputs) {
  if (std::ranges::find(written, true) != written.end()) CopyWritten(written);
  versions_.reserve(values_.size());
  for (const c10::IValue& value : values_) versions_.push_back(VersionOf(value));
}

void KeptInputs::CopyWritten(const std::vector<bool>& written) {
  std::unordered_set<const void*> memory;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (written[i]) memory.insert(MemoryOf(values_[i]));
  }
  memory.erase(nullptr);
  check::InputClones clones;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!written[i] && !memory.contains(MemoryOf(values_[i]))) continue;
    copied_.push_back({i, values_[i]});
    values_[i] = clones.Clone(values_[i]);
  }
}

std::vector<size_t> KeptInputs::Spoilt() const {
  std::vector<size_t> spoilt;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (VersionOf(values_[i]) != versions_[i]) spoilt.push_back(i);
  }
  return spoilt;
}

bool KeptInputs::CanBeRestored() const {
  return std::ranges::none_of(copied_, [&](const Copied& copied) {
    const at::Tensor* now = DefinedTensor(copied.original);
    return now != nullptr && (now->requires_grad() || values_[copied.input].toTensor().requires_grad());
  });
}

void KeptInputs::Restore() const {
  const at::AutoDispatchBelowADInplaceOrView unnoticed;
  for (const Copied& copied : copied_) {
    if (const at::Tensor* original = DefinedTensor(copied.original))
      original->copy_(values_[copied.input].toTensor());
  }
}

}  // namespace culprit::watch
