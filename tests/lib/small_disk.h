// SPDX-License-Identifier: Apache-2.0
//
// A disk of its own for one test, as small as the test wants it. Needs the rights of root:
//
//   SmallDisk disk(65536);
//   if (disk.error() != 0) GTEST_SKIP() << "nothing can be mounted: " << std::strerror(disk.error());
#pragma once

#include <fmt/format.h>
#include <sys/mount.h>

#include <cerrno>
#include <string>

#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

class SmallDisk {
 public:
  explicit SmallDisk(size_t bytes) : error_(Mount(bytes, 0)) {}
  ~SmallDisk() {
    if (error_ == 0) umount2(folder_.path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Why there is none; 0 if there is.
  int error() const { return error_; }
  /// What is on it stays.
  void Resize(size_t bytes) { error_ = Mount(bytes, MS_REMOUNT); }

  const std::string& path() const { return folder_.path(); }
  std::string operator/(const std::string& name) const { return folder_ / name; }

 private:
  int Mount(size_t bytes, unsigned long flags) const {
    const std::string options = fmt::format("size={},mode=0755", bytes);
    return mount("culprit-test", path().c_str(), "tmpfs", flags, options.c_str()) == 0 ? 0 : errno;
  }

  TemporaryFolder folder_;
  int error_;
};

}  // namespace culprit::tests
