// SPDX-License-Identifier: Apache-2.0
//
// Objects of kernels in a folder, one file each (cache_entry.h), named by the key. Any number of processes
// may use the folder: a file appears under its name complete or not at all (files/temporary_file.h).
//
// What is in the folder gets executed. So the folder is private: it belongs to the user of this process, and
// nobody else may look into it (mode 0700). Only files are believed that belong to the user and that nobody
// else may write; neither links nor anything else that is not a file.
//
// When the files together have more bytes than they may, those go first that have not been used for longest;
// a use sets a file's time of modification. To look through the whole folder at each writing would take
// longer than to generate the kernel, and forked children would each begin anew to count. So one in so many
// does it, chosen by its key, in proportion to its bytes: about once whenever a 32nd of all bytes was
// written, by whomever. The folder may have a few hundredths more than the limit meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "files/folder.h"

namespace culprit::compiler::jit {

class DiskCache {
 public:
  /// Makes the folder unless it is there. The error says why it cannot be made, or why it is not private.
  static base::Result<DiskCache> Open(const std::string& folder, uint64_t most_bytes);

  /// Whether a folder that is there already is private; changes nothing.
  static base::Status CheckPrivate(const std::string& folder);

  struct Found {
    std::optional<std::string> object = std::nullopt;
    /// There is something of that name, but not what it should be.
    bool is_damaged = false;
  };
  Found Read(const std::string& key) const;

  /// In place of whatever has the name; false if that is impossible.
  bool Write(const std::string& key, std::string_view object) const;

 private:
  DiskCache(files::Folder folder, uint64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}
  bool IsTimeToCleanUp(const std::string& key, uint64_t bytes) const;
  void RemoveLongestUnused() const;

  files::Folder folder_;
  uint64_t most_bytes_;
};

}  // namespace culprit::compiler::jit
