// SPDX-License-Identifier: Apache-2.0
//
// A folder of the store, held open: whatever happens to the names above it, the store goes on in the same
// folder. Files in it are opened without following symbolic links and without waiting for the other end of a
// FIFO, so that a store from a stranger can neither redirect nor hang a reader.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"

namespace culprit::files {

/// Owns a descriptor of an open file or folder.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// "store/storages/x: cannot write it: no space left on device" from errno or a value of it.
base::Diagnostic FileError(const std::string& path, std::string_view what, int error_number);

/// A regular file, open for reading.
struct OpenedFile {
  FileDescriptor descriptor;
  std::string path;
  int64_t bytes = 0;
};

class Folder {
 public:
  /// The folder has to exist; the last part of the path may be a symbolic link.
  static base::Result<Folder> Open(const std::string& path);
  /// Makes the folder, and the ones above it, unless they are there.
  static base::Result<Folder> Create(const std::string& path);

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_.number(); }
  std::string PathOf(const std::string& name) const { return path_ + "/" + name; }

  bool Contains(const std::string& name) const;
  base::Result<OpenedFile> OpenFile(const std::string& name) const;

 private:
  Folder(std::string path, FileDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::string path_;
  FileDescriptor descriptor_;
};

}  // namespace culprit::files
