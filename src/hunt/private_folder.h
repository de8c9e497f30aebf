// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace culprit::hunt {

/// A folder that nobody else may read, and that is gone in the end.
class PrivateFolder {
 public:
  /// In `parent`, or among the temporary files; its name begins with `name`.
  static base::Result<PrivateFolder> Make(const std::string& parent, const std::string& name);
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace culprit::hunt
