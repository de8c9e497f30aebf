// SPDX-License-Identifier: Apache-2.0
#include "store/file_contents.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "files/read_file.h"
#include "graph/tensors/torch_error.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Result;

c10::Storage StorageOver(at::DataPtr data, int64_t bytes) {
  return {c10::Storage::use_byte_size_t(), static_cast<size_t>(bytes), std::move(data),
          c10::GetCPUAllocator(), /*resizable=*/true};
}

Result<c10::Storage> Map(const files::OpenedFile& file) {
  const auto bytes = static_cast<size_t>(file.bytes);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor.number(), /*offset=*/0);
  if (memory == MAP_FAILED) return files::FileError(file.path, "cannot map it", errno);
  const auto unmap = [bytes](void* mapped) { munmap(mapped, bytes); };
  return StorageOver(c10::InefficientStdFunctionContext::makeDataPtr(memory, unmap, at::kCPU), file.bytes);
}

}  // namespace

std::span<std::byte> BytesOf(const c10::Storage& storage) {
  return {static_cast<std::byte*>(storage.mutable_data()), storage.nbytes()};
}

Result<c10::Storage> AllocateStorage(int64_t bytes) {
  try {
    return StorageOver(c10::GetCPUAllocator()->allocate(static_cast<size_t>(bytes)), bytes);
  } catch (const std::exception& error) {
    return Diagnostic{
        {}, fmt::format("no memory for {}: {}", base::HumanBytes(bytes), graph::TorchMessage(error))};
  }
}

Result<c10::Storage> ReadContents(const files::OpenedFile& file, int64_t bytes, Access access) {
  if (file.bytes != bytes) {
    return Diagnostic{{file.path}, fmt::format("has {} bytes instead of {}", file.bytes, bytes)};
  }
  // An empty range cannot be mapped.
  if (access == Access::kMap && bytes > 0) return Map(file);
  c10::Storage storage = CULPRIT_TRY(AllocateStorage(bytes));
  CULPRIT_TRY(files::ReadAt(file, 0, BytesOf(storage)));
  return storage;
}

}  // namespace culprit::store
