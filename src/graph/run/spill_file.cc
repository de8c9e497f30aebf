// SPDX-License-Identifier: Apache-2.0
#include "graph/run/spill_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {
namespace {

base::Diagnostic ErrorOf(std::string_view what, int number) {
  return base::SystemError({}, fmt::format("cannot {} a temporary file", what), number);
}

/// An error number, or 0. Unlike writing through a mapping, this finds out that the disk is full.
int WriteAll(int descriptor, const char* data, size_t bytes, size_t offset) {
  while (bytes > 0) {
    const ssize_t written = pwrite(descriptor, data, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    data += written;
    bytes -= written;
    offset += written;
  }
  return 0;
}

}  // namespace

base::Result<std::shared_ptr<SpillFile>> SpillFile::Make(const std::string& folder) {
  std::string path = folder + "/culprit_spill_XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return ErrorOf("make", errno);
  unlink(path.c_str());
  struct statvfs disk {};
  const bool known = fstatvfs(descriptor, &disk) == 0;
  const size_t capacity = known ? disk.f_frsize * disk.f_bavail : 0;
  void* data = capacity == 0 ? MAP_FAILED
                             : mmap(nullptr, capacity, PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (data == MAP_FAILED) {
    const int number = capacity == 0 ? ENOSPC : errno;
    close(descriptor);
    return ErrorOf("map", number);
  }
  return std::shared_ptr<SpillFile>(new SpillFile(descriptor, static_cast<char*>(data), capacity));
}

SpillFile::~SpillFile() {
  munmap(data_, capacity_);
  close(descriptor_);
}

base::Result<c10::Storage> SpillFile::Copy(const c10::Storage& storage) {
  const size_t bytes = storage.nbytes();
  const size_t distance = (reinterpret_cast<uintptr_t>(storage.data()) - used_) % kKeptAlignment;
  const size_t offset = used_ + distance;
  if (offset > capacity_ || bytes > capacity_ - offset) return ErrorOf("write", ENOSPC);
  const int number = WriteAll(descriptor_, static_cast<const char*>(storage.data()), bytes, offset);
  if (number != 0) return ErrorOf("write", number);
  used_ = offset + bytes;
  auto file = std::make_unique<std::shared_ptr<SpillFile>>(shared_from_this());
  const auto let_go = [](void* context) { delete static_cast<std::shared_ptr<SpillFile>*>(context); };
  return c10::Storage(c10::Storage::use_byte_size_t(), bytes,
                      c10::DataPtr(data_ + offset, file.release(), let_go, at::kCPU));
}

void SpillFile::Unload() const {
  madvise(data_, used_, MADV_DONTNEED);
}

}  // namespace culprit::graph
