// SPDX-License-Identifier: Apache-2.0
//
// Files that appear in a folder at once and complete, or not at all.
//
// A file is written without a name (O_TMPFILE) and given its name when it is complete. If its writer dies
// before, the kernel frees it. Where the file system cannot do that, or the file has to replace another, it
// has a temporary name for a while: ".writing-" and 32 random digits, which nobody can guess and put
// something else in place of. While its writer lives the file is locked (flock), also against others in the
// same process; so a temporary file that can be locked is what a dead writer left behind, and is removed by
// whoever opens the store for writing next.
//
// Nothing is flushed to the disk (fsync), which would cost milliseconds per file. Only a crash of the whole
// machine could tell: it may lose files, or leave them short. A name that is there with other contents than
// it promises is found by readers, since they compare size and hash, and is mended by the next writer of
// those contents. What a killed or crashed process leaves is whole in any case.
#pragma once

#include <span>
#include <string>

#include "files/folder.h"

namespace culprit::files {

class TemporaryFile {
 public:
  enum class Kind : uint8_t { kNamelessIfPossible, kNamed };

  static base::Result<TemporaryFile> Create(const Folder& folder, Kind kind = Kind::kNamelessIfPossible);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  /// Removes the file unless it got its name.
  ~TemporaryFile();

  /// Errors are reported for `path`, which the file will have.
  base::Status Write(std::span<const std::byte> contents, const std::string& path);

  /// Gives the file its name, readable for all and writable for none; false if the name was taken meanwhile.
  base::Result<bool> PublishNew(const std::string& name) &&;
  /// The same, in place of whatever file has the name.
  base::Status PublishOver(const std::string& name) &&;

 private:
  TemporaryFile(const Folder& folder, FileDescriptor descriptor, std::string name)
      : folder_(&folder), descriptor_(std::move(descriptor)), name_(std::move(name)) {}
  static base::Result<TemporaryFile> CreateNamed(const Folder& folder);
  /// 0, or what linkat() failed with.
  int LinkTo(const std::string& name) const;

  const Folder* folder_;
  FileDescriptor descriptor_;
  /// Empty while the file has none.
  std::string name_;
};

/// Removes what dead writers left in the folder; returns how many files that were.
base::Result<int> RemoveStaleFiles(const Folder& folder);

}  // namespace culprit::files
