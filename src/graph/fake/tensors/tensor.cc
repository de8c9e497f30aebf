// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/tensors/tensor.h"

#include <c10/core/CPUAllocator.h>

#include <cstring>

namespace culprit::graph::fake {
namespace {

/// Never called, since there is nothing to free: its address is what tells a fake storage from others.
void MarkOfFakes(void*) {}

/// Keys hold more than the backend: conjugation, and whether autograd may ever see the tensor.
c10::DispatchKeySet KeysOn(c10::DispatchKeySet keys, c10::DeviceType device) {
  using c10::BackendComponent, c10::DispatchKeySet;
  constexpr DispatchKeySet kAutocast(c10::DispatchKey::AutocastCPU);
  if (device == at::kMeta) {
    return (keys.remove_backend(BackendComponent::CPUBit) | DispatchKeySet(BackendComponent::MetaBit)) -
           kAutocast;
  }
  return keys.remove_backend(BackendComponent::MetaBit) | DispatchKeySet(BackendComponent::CPUBit) |
         kAutocast;
}

}  // namespace

c10::Storage FakeStorage(size_t bytes, bool resizable) {
  return {c10::Storage::use_byte_size_t(), bytes, c10::DataPtr(nullptr, nullptr, &MarkOfFakes, at::kCPU),
          c10::GetCPUAllocator(), resizable};
}

bool IsFakeStorage(const c10::Storage& storage) {
  return storage && storage.data_ptr().get_deleter() == &MarkOfFakes;
}

c10::Storage MetaStorage(size_t bytes, bool resizable) {
  return {c10::Storage::use_byte_size_t(), bytes, c10::DataPtr(nullptr, at::kMeta),
          c10::GetAllocator(at::kMeta), resizable};
}

c10::Storage ZeroStorage(size_t bytes, bool resizable) {
  c10::Storage storage(c10::Storage::use_byte_size_t(), static_cast<int64_t>(bytes), c10::GetCPUAllocator(),
                       resizable);
  if (bytes > 0) std::memset(storage.mutable_data(), 0, bytes);
  return storage;
}

at::Tensor TensorLike(const at::Tensor& pattern, c10::Storage storage) {
  const c10::DispatchKeySet keys = KeysOn(pattern.key_set(), storage.device_type());
  at::Tensor tensor = at::detail::make_tensor<at::TensorImpl>(at::TensorImpl::VIEW, std::move(storage), keys,
                                                              pattern.dtype());
  at::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(pattern.sizes(), pattern.strides(), pattern.storage_offset());
  if (pattern.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
  return tensor;
}

void CopyGeometry(const at::Tensor& pattern, const at::Tensor& tensor) {
  if (pattern.sizes() == tensor.sizes() && pattern.strides() == tensor.strides() &&
      pattern.storage_offset() == tensor.storage_offset()) {
    return;
  }
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(pattern.sizes(), pattern.strides(),
                                                      pattern.storage_offset());
}

}  // namespace culprit::graph::fake
