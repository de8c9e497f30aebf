// SPDX-License-Identifier: Apache-2.0
#include "backends/server/tensors_out.h"

#include <fmt/format.h>

#include <cstring>

#include "backend/refusal.h"
#include "graph/text/syntax/literal.h"

namespace culprit::backends::server {
namespace {

using isolate::SharedMemory;
using nlohmann::json;

/// As libtorch aligns what it allocates: compilers ask for addresses modulo 64.
constexpr size_t kAlignment = 64;

void CheckIsPlain(const at::Tensor& tensor) {
  const char* reason = tensor.layout() != at::kStrided ? "sparse"
                       : tensor.is_quantized()         ? "quantised"
                       : !tensor.has_storage()         ? "without memory"
                                                       : nullptr;
  if (reason != nullptr)
    throw backend::Refusal(fmt::format("a tensor is {}, and cannot be sent to a server", reason));
}

json Describe(const at::Tensor& tensor, size_t storage) {
  const std::string_view dtype = graph::text::NameOf(tensor.scalar_type());
  return {{"storage", storage},
          {"sizes", tensor.sizes().vec()},
          {"strides", tensor.strides().vec()},
          {"offset", tensor.storage_offset()},
          {"dtype", dtype.substr(dtype.find('.') + 1)},
          {"device", tensor.device().str()},
          {"conjugated", tensor.is_conj()},
          {"negated", tensor.is_neg()},
          {"requires_grad", tensor.requires_grad()},
          {"leaf", tensor.is_leaf()}};
}

}  // namespace

size_t TensorsOut::PlaceOf(const c10::Storage& storage) {
  const auto [entry, is_new] = indices_.try_emplace(storage.unsafeGetStorageImpl(), originals_.size());
  if (!is_new) return entry->second;
  const auto address = reinterpret_cast<uintptr_t>(storage.data());
  const size_t begin = (bytes_ + kAlignment - 1) / kAlignment * kAlignment + address % kAlignment;
  originals_.push_back(storage);
  places_.push_back({begin, storage.nbytes()});
  bytes_ = begin + storage.nbytes();
  return entry->second;
}

json TensorsOut::Add(const at::Tensor& tensor) {
  CheckIsPlain(tensor);
  if (!tensor.device().is_cpu())
    throw backend::Refusal(fmt::format("a tensor on {} cannot be sent to a server", tensor.device().str()));
  json described = Describe(tensor, PlaceOf(tensor.storage()));
  described["described"] = false;
  return described;
}

void TensorsOut::Fill() {
  if (bytes_ == 0) return;
  auto made = SharedMemory::Make(bytes_, SharedMemory::Others::kMayWrite);
  if (!made.ok()) throw std::runtime_error(made.error().message);
  memory_ = *std::move(made);
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].bytes > 0)
      std::memcpy(memory_->data() + places_[i].offset, originals_[i].data(), places_[i].bytes);
  }
}

json TensorsOut::storages() const {
  json list = json::array();
  for (const Place& place : places_) list.push_back({0, place.offset, place.bytes});
  return list;
}

std::vector<std::shared_ptr<SharedMemory>> TensorsOut::memory() const {
  if (!memory_) return {};
  return {memory_};
}

void TensorsOut::CopyBack() const {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].bytes == 0) continue;
    const std::byte* there = memory_->data() + places_[i].offset;
    const void* here = originals_[i].data();
    if (std::memcmp(here, there, places_[i].bytes) != 0)
      std::memcpy(originals_[i].mutable_data(), there, places_[i].bytes);
  }
}

json DescribedOut::Add(const at::Tensor& tensor) {
  CheckIsPlain(tensor);
  const c10::Storage& storage = tensor.storage();
  const auto [entry, is_new] = indices_.try_emplace(storage.unsafeGetStorageImpl(), indices_.size());
  json described = Describe(tensor, entry->second);
  described["described"] = true;
  described["bytes"] = storage.nbytes();
  described["shared"] = !is_new;
  return described;
}

}  // namespace culprit::backends::server
