// SPDX-License-Identifier: Apache-2.0
#include "files/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/is_hex.h"
#include "base/write_signals.h"

namespace culprit::files {
namespace {

using base::Done;
using base::Result;
using base::Status;

constexpr std::string_view kPrefix = ".writing-";
constexpr size_t kRandomDigits = 32;
constexpr mode_t kReadOnly = 0444;

std::string RandomName() {
  std::array<uint64_t, 2> random = {};
  const ssize_t count = getrandom(random.data(), sizeof(random), 0);
  CULPRIT_CHECK(count == sizeof(random), "no random numbers: error {}", errno);
  return fmt::format("{}{:016x}{:016x}", kPrefix, random[0], random[1]);
}

bool IsTemporaryName(std::string_view name) {
  return name.starts_with(kPrefix) && base::IsHex(name.substr(kPrefix.size()), kRandomDigits);
}

enum class Locking : uint8_t { kLocked, kLockedByAnother, kUnsupported };

Locking Lock(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Locking::kLocked;
  return errno == EWOULDBLOCK ? Locking::kLockedByAnother : Locking::kUnsupported;
}

std::string ProcPath(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

bool HasName(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

Result<TemporaryFile> TemporaryFile::Create(const Folder& folder, Kind kind) {
  if (kind == Kind::kNamed) return CreateNamed(folder);
  FileDescriptor descriptor(openat(folder.descriptor(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, kReadOnly));
  // Without /proc the file could not be named later.
  const bool usable = descriptor.is_open() && access(ProcPath(descriptor.number()).c_str(), F_OK) == 0 &&
                      Lock(descriptor.number()) != Locking::kLockedByAnother;
  if (!usable) return CreateNamed(folder);
  return TemporaryFile(folder, std::move(descriptor), "");
}

Result<TemporaryFile> TemporaryFile::CreateNamed(const Folder& folder) {
  while (true) {
    std::string name = RandomName();
    FileDescriptor descriptor(openat(folder.descriptor(), name.c_str(),
                                     O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, kReadOnly));
    if (!descriptor.is_open() && errno == EEXIST) continue;
    if (!descriptor.is_open()) return FileError(folder.path(), "cannot make a file in it", errno);
    // Between the two calls a cleaner may have taken the file for a dead writer's.
    if (Lock(descriptor.number()) != Locking::kLockedByAnother && HasName(descriptor.number())) {
      return TemporaryFile(folder, std::move(descriptor), std::move(name));
    }
  }
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(other.folder_),
      descriptor_(std::move(other.descriptor_)),
      name_(std::exchange(other.name_, std::string())) {}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlinkat(folder_->descriptor(), name_.c_str(), 0);
}

Status TemporaryFile::Write(std::span<const std::byte> contents, const std::string& path) {
  const base::WriteSignalsBlocked blocked;
  while (!contents.empty()) {
    const ssize_t count = write(descriptor_.number(), contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "cannot write it", errno);
    contents = contents.subspan(static_cast<size_t>(count));
  }
  return Done{};
}

int TemporaryFile::LinkTo(const std::string& name) const {
  const int status = linkat(AT_FDCWD, ProcPath(descriptor_.number()).c_str(), folder_->descriptor(),
                            name.c_str(), AT_SYMLINK_FOLLOW);
  return status == 0 ? 0 : errno;
}

Result<bool> TemporaryFile::PublishNew(const std::string& name) && {
  int error = 0;
  if (name_.empty()) {
    error = LinkTo(name);
  } else if (renameat2(folder_->descriptor(), name_.c_str(), folder_->descriptor(), name.c_str(),
                       RENAME_NOREPLACE) == 0) {
    name_.clear();
  } else if (errno == EINVAL) {
    // The file system cannot tell whether the name is taken.
    CULPRIT_TRY(std::move(*this).PublishOver(name));
  } else {
    error = errno;
  }
  if (error != 0 && error != EEXIST)
    return FileError(folder_->PathOf(name), "cannot give it its name", error);
  return error == 0;
}

Status TemporaryFile::PublishOver(const std::string& name) && {
  while (name_.empty()) {
    std::string temporary = RandomName();
    const int error = LinkTo(temporary);
    if (error == 0) name_ = std::move(temporary);
    if (error != 0 && error != EEXIST)
      return FileError(folder_->PathOf(name), "cannot give it its name", error);
  }
  if (renameat(folder_->descriptor(), name_.c_str(), folder_->descriptor(), name.c_str()) != 0) {
    return FileError(folder_->PathOf(name), "cannot give it its name", errno);
  }
  name_.clear();
  return Done{};
}

Result<int> RemoveStaleFiles(const Folder& folder) {
  const int copy = openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, decltype(&closedir)> entries(copy < 0 ? nullptr : fdopendir(copy), &closedir);
  if (entries == nullptr) return FileError(folder.path(), "cannot list it", errno);
  int removed = 0;
  while (const dirent* entry = readdir(entries.get())) {
    if (!IsTemporaryName(entry->d_name)) continue;
    const FileDescriptor file(
        openat(folder.descriptor(), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open() || Lock(file.number()) != Locking::kLocked) continue;
    if (unlinkat(folder.descriptor(), entry->d_name, 0) == 0) ++removed;
  }
  return removed;
}

}  // namespace culprit::files
