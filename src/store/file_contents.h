// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a file as memory: mapped, or copied. Either way the caller has said before how many there have
// to be, and nothing is mapped or allocated for a file of another size.
#pragma once

#include <c10/core/Storage.h>

#include <span>
#include <string>

#include "files/folder.h"

namespace culprit::store {

enum class Access : uint8_t {
  /// Pages are read when they are touched. What is written into the memory stays there and never reaches the
  /// file. Nobody may shorten the file in place meanwhile, which would end the process with SIGBUS; a store
  /// replaces files and never changes one.
  kMap,
  /// Read at once; the file may vanish afterwards.
  kCopy,
};

struct StoredStorage {
  c10::Storage storage;
  /// The contents are known to be what the name says. False if nobody asked, or if the hash is PyTorch's fast
  /// one, which only PyTorch on the same kind of device can compute.
  bool verified = false;
};

/// A storage of the CPU that unmaps or frees itself and can be resized as any other.
base::Result<c10::Storage> ReadContents(const files::OpenedFile& file, int64_t bytes, Access access);

/// Memory of the CPU with nothing in it yet; an error if there is not enough.
base::Result<c10::Storage> AllocateStorage(int64_t bytes);

std::span<std::byte> BytesOf(const c10::Storage& storage);

}  // namespace culprit::store
