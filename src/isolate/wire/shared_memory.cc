// SPDX-License-Identifier: Apache-2.0
#include "isolate/wire/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "isolate/wire/system_error.h"

namespace culprit::isolate {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;

}  // namespace

base::Result<std::shared_ptr<SharedMemory>> SharedMemory::Make(size_t size, Others others) {
  Descriptor descriptor(memfd_create("culprit", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor.is_open()) return SystemError("make shared memory");
  if (ftruncate(descriptor.number(), static_cast<off_t>(size)) != 0)
    return SystemError(fmt::format("make shared memory of {} bytes", size));
  std::shared_ptr<SharedMemory> memory(new SharedMemory(std::move(descriptor), size));
  CULPRIT_TRY(memory->Map(MAP_SHARED));
  // After the mapping, which stays writable.
  const int seals = others == Others::kMayWrite ? kSizeSeals : kSizeSeals | F_SEAL_FUTURE_WRITE;
  if (fcntl(memory->descriptor().number(), F_ADD_SEALS, seals) != 0) return SystemError("seal shared memory");
  return memory;
}

base::Result<std::shared_ptr<SharedMemory>> SharedMemory::Receive(Descriptor descriptor) {
  const int seals = fcntl(descriptor.number(), F_GET_SEALS);
  if (seals < 0 || (seals & kSizeSeals) != kSizeSeals)
    return base::Diagnostic{{}, "received a descriptor that is no sealed memory"};
  struct stat status = {};
  if (fstat(descriptor.number(), &status) != 0) return SystemError("ask for the size of shared memory");
  std::shared_ptr<SharedMemory> memory(
      new SharedMemory(std::move(descriptor), static_cast<size_t>(status.st_size)));
  CULPRIT_TRY(memory->Map(MAP_PRIVATE));
  return memory;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

base::Status SharedMemory::Map(int flags) {
  if (size_ == 0) return base::Done();
  void* data = mmap(nullptr, size_, PROT_READ | PROT_WRITE, flags, descriptor_.number(), 0);
  if (data == MAP_FAILED) return SystemError(fmt::format("map shared memory of {} bytes", size_));
  data_ = static_cast<std::byte*>(data);
  return base::Done();
}

}  // namespace culprit::isolate
