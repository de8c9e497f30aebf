// SPDX-License-Identifier: Apache-2.0
//
// Memory that travels between processes by descriptor, without copies: a memfd.
//
// Its maker fills it through a shared mapping. Whoever receives it maps it privately: it sees the contents
// and may write, but what it writes is its own, so that a compiler that writes into its inputs harms
// nobody's. The size is sealed: a mapping whose file shrinks would kill the process that reads it.
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "isolate/wire/descriptor.h"

namespace culprit::isolate {

class SharedMemory {
 public:
  /// Whether other processes can map it as this one does.
  enum class Others { kMapPrivately, kMayWrite };

  /// Zeros.
  static base::Result<std::shared_ptr<SharedMemory>> Make(size_t size, Others others = Others::kMapPrivately);
  /// What another process has made. Refuses files of any other kind.
  static base::Result<std::shared_ptr<SharedMemory>> Receive(Descriptor descriptor);

  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  const Descriptor& descriptor() const { return descriptor_; }

 private:
  SharedMemory(Descriptor descriptor, size_t size) : descriptor_(std::move(descriptor)), size_(size) {}
  /// With the flags of mmap.
  base::Status Map(int flags);

  Descriptor descriptor_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace culprit::isolate
