// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/tensor_copy.h"

#include <ATen/core/Generator.h>
#include <ATen/ops/empty.h>
#include <c10/core/CPUAllocator.h>

#include <memory>

#include "graph/tensors/input_spec.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::graph {
namespace {

/// As many bytes, at an address that is as far from a multiple of kKeptAlignment.
c10::Storage AllocateAlignedAs(const c10::Storage& original) {
  const size_t bytes = original.nbytes();
  auto block = std::make_unique<c10::DataPtr>(c10::GetCPUAllocator()->allocate(bytes + kKeptAlignment));
  const auto distance =
      reinterpret_cast<uintptr_t>(original.data()) - reinterpret_cast<uintptr_t>(block->get());
  char* data = static_cast<char*>(block->get()) + distance % kKeptAlignment;
  const auto free_block = [](void* context) { delete static_cast<c10::DataPtr*>(context); };
  // Operators may resize it, as they may any other memory of libtorch's own.
  return {c10::Storage::use_byte_size_t(), bytes, c10::DataPtr(data, block.release(), free_block, at::kCPU),
          c10::GetCPUAllocator(), /*resizable=*/true};
}

}  // namespace

bool IsPlain(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && tensor.has_storage() &&
         !tensor.is_quantized();
}

Geometry Geometry::Of(const at::Tensor& tensor) {
  return {tensor.sizes().vec(), tensor.strides().vec(), tensor.storage_offset(),
          tensor.scalar_type(), tensor.is_conj(),       tensor.is_neg()};
}

size_t ReachedBytes(const Geometry& geometry) {
  // There is a tensor of this geometry, so it does not overflow.
  const int64_t elements = ReachedElements(geometry.sizes, geometry.strides, geometry.offset).value();
  return static_cast<size_t>(elements) * c10::elementSize(geometry.dtype);
}

at::Tensor TensorOn(const c10::Storage& storage, const Geometry& geometry) {
  const auto options = at::TensorOptions().dtype(geometry.dtype).device(storage.device());
  at::Tensor tensor = at::empty({0}, options);
  tensor.set_(storage, geometry.offset, geometry.sizes, geometry.strides);
  tensor._set_conj(geometry.conjugated);
  tensor._set_neg(geometry.negated);
  return tensor;
}

c10::Storage CopyStorage(const c10::Storage& storage) {
  const auto bytes = static_cast<int64_t>(storage.nbytes());
  const Geometry row{{bytes}, {1}, 0, at::kByte};
  if (!storage.device().is_cpu()) return TensorOn(storage, row).clone().storage();
  c10::Storage copy = AllocateAlignedAs(storage);
  TensorOn(copy, row).copy_(TensorOn(storage, row));
  return copy;
}

at::Tensor TensorCopies::Copy(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  if (!IsPlain(tensor)) return tensor.detach().clone();
  const c10::StorageImpl* key = tensor.storage().unsafeGetStorageImpl();
  auto [place, is_new] = copies_.try_emplace(key);
  if (is_new) place->second = CopyStorage(tensor.storage());
  return TensorOn(place->second, Geometry::Of(tensor));
}

c10::IValue TensorCopies::Copy(const c10::IValue& value) {
  if (value.isGenerator()) return value.toGenerator().clone();
  return MapTensors(value, [this](const at::Tensor& tensor) { return Copy(tensor); });
}

std::vector<c10::IValue> CopyAll(const std::vector<c10::IValue>& values) {
  TensorCopies copies;
  std::vector<c10::IValue> result;
  result.reserve(values.size());
  for (const c10::IValue& value : values) result.push_back(copies.Copy(value));
  return result;
}

}  // namespace culprit::graph
