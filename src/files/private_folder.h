// SPDX-License-Identifier: Apache-2.0
//
// A folder that nobody else may read, and that is gone in the end. It holds one file of its own, which is
// locked (flock) as long as the process that made the folder lives, or one that was forked from it. So a
// folder whose file can be locked was left by processes that were killed, and the next process that makes a
// folder in the same place removes it.
#pragma once

#include <string>

#include "base/result.h"

namespace culprit::files {

class PrivateFolder {
 public:
  /// In `parent`, or among the temporary files; its name begins with `name`.
  static base::Result<PrivateFolder> Make(const std::string& parent, const std::string& name);
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  PrivateFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  /// A descriptor of the file.
  int lock_;
};

/// For errors about temporary files.
inline constexpr const char* kHowToMoveThem = "to keep temporary files elsewhere, set: TMPDIR=DIR";

/// Removes the private folders in `parent` that killed processes of this user left behind.
void RemoveAbandonedFolders(const std::string& parent);

}  // namespace culprit::files
