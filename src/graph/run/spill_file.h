// SPDX-License-Identifier: Apache-2.0
//
// A file without a name that holds the contents of storages which do not fit in memory. It is mapped as a
// whole, for reading: what is looked at is read from the disk and can be forgotten again.
#pragma once

#include <c10/core/Storage.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace culprit::graph {

class SpillFile : public std::enable_shared_from_this<SpillFile> {
 public:
  /// It goes when nobody has it or a storage on it any more, also if the process is killed.
  static base::Result<std::shared_ptr<SpillFile>> Make(const std::string& folder);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  /// A storage of main memory with the same contents at an address that is aligned alike (kKeptAlignment),
  /// on the file. Writing into it crashes. A full disk is an error.
  base::Result<c10::Storage> Copy(const c10::Storage& storage);

  /// Frees the memory of everything that was read. It will be read again when it is needed.
  void Unload() const;

 private:
  SpillFile(int descriptor, char* data, size_t capacity)
      : descriptor_(descriptor), data_(data), capacity_(capacity) {}

  int descriptor_;
  char* data_;
  /// How far it may grow: what was free on the disk.
  size_t capacity_;
  size_t used_ = 0;
};

}  // namespace culprit::graph
