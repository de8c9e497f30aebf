// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/kept_memory.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/CPUAllocator.h>

#include <cstdlib>
#include <memory>

namespace culprit::compiler::run {
namespace {

// What is smaller is in the cache wherever it lies.
constexpr size_t kFewBytes = 16 << 10;

void Free(void* block) {
  c10::profiledCPUMemoryReporter().Delete(block);
  std::free(block);
}

/// Null if there is none.
c10::DataPtr Allocate(size_t bytes) {
  size_t with_rest = bytes + c10::gAlignment;
  void* block = std::malloc(with_rest);
  if (block == nullptr) return {};
  // Whoever profiles libtorch's memory is told.
  c10::profiledCPUMemoryReporter().New(block, bytes);
  void* data = block;
  std::align(c10::gAlignment, bytes, data, with_rest);
  return {data, block, &Free, c10::Device(c10::kCPU)};
}

}  // namespace

at::Tensor EmptyInKeptMemory(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                             at::ScalarType dtype) {
  const size_t bytes = at::detail::computeStorageNbytes(sizes, strides, c10::elementSize(dtype));
  c10::Allocator* allocator = c10::GetCPUAllocator();
  // An allocator of the program's own is what it wants.
  if (bytes < kFewBytes || allocator != c10::GetDefaultCPUAllocator())
    return at::empty_strided(sizes, strides, dtype);
  c10::DataPtr memory = Allocate(bytes);
  // libtorch has words for that.
  if (!memory) return at::empty_strided(sizes, strides, dtype);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(memory),
                                            allocator, /*resizable=*/true),
      c10::DispatchKeySet(c10::DispatchKey::CPU), c10::scalarTypeToTypeMeta(dtype));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return tensor;
}

}  // namespace culprit::compiler::run
