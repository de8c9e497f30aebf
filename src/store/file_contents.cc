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
#include "graph/tensors/torch_error.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

c10::Storage StorageOver(at::DataPtr data, int64_t bytes) {
  return {c10::Storage::use_byte_size_t(), static_cast<size_t>(bytes), std::move(data),
          c10::GetCPUAllocator(), /*resizable=*/true};
}

Result<c10::Storage> Map(const OpenedFile& file) {
  const auto bytes = static_cast<size_t>(file.bytes);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor.number(), /*offset=*/0);
  if (memory == MAP_FAILED) return FileError(file.path, "cannot map it", errno);
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

Status ReadAt(const OpenedFile& file, uint64_t offset, std::span<std::byte> target) {
  while (!target.empty()) {
    const ssize_t count =
        pread(file.descriptor.number(), target.data(), target.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(file.path, "cannot read it", errno);
    if (count == 0) return Diagnostic{{file.path}, fmt::format("ends at byte {}", offset)};
    offset += static_cast<uint64_t>(count);
    target = target.subspan(static_cast<size_t>(count));
  }
  return Done{};
}

Result<c10::Storage> ReadContents(const OpenedFile& file, int64_t bytes, Access access) {
  if (file.bytes != bytes) {
    return Diagnostic{{file.path}, fmt::format("has {} bytes instead of {}", file.bytes, bytes)};
  }
  // An empty range cannot be mapped.
  if (access == Access::kMap && bytes > 0) return Map(file);
  c10::Storage storage = CULPRIT_TRY(AllocateStorage(bytes));
  CULPRIT_TRY(ReadAt(file, 0, BytesOf(storage)));
  return storage;
}

Result<bool> HasContents(const OpenedFile& file, std::span<const std::byte> contents) {
  if (file.bytes != static_cast<int64_t>(contents.size())) return false;
  constexpr size_t kChunk = 256 << 10;
  std::vector<std::byte> chunk(std::min(kChunk, contents.size()));
  for (size_t begin = 0; begin < contents.size(); begin += kChunk) {
    const auto expected = contents.subspan(begin, std::min(kChunk, contents.size() - begin));
    CULPRIT_TRY(ReadAt(file, begin, std::span(chunk).first(expected.size())));
    if (std::memcmp(chunk.data(), expected.data(), expected.size()) != 0) return false;
  }
  return true;
}

Result<std::string> ReadText(const OpenedFile& file, int64_t max_bytes) {
  if (file.bytes > max_bytes) {
    return Diagnostic{{file.path},
                      fmt::format("has {}, more than the {} that are read", base::HumanBytes(file.bytes),
                                  base::HumanBytes(max_bytes))};
  }
  std::string text(static_cast<size_t>(file.bytes), '\0');
  CULPRIT_TRY(ReadAt(file, 0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace culprit::store
