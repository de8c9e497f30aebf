// SPDX-License-Identifier: Apache-2.0
#include "files/private_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace culprit::files {
namespace {

namespace fs = std::filesystem;

/// Of all their names; a place is not searched for other folders.
constexpr std::string_view kPrefix = "culprit-";
/// Without it a folder is somebody else's, whatever its name.
constexpr const char* kLockName = ".culprit-lock";

bool Lock(int file) {
  return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/// False if another process took the folder for an abandoned one before its file was locked.
bool LockNew(int file) {
  // Where files cannot be locked, nothing is ever taken for abandoned.
  if (!Lock(file) && errno == EWOULDBLOCK) return false;
  struct stat status = {};
  return fstat(file, &status) == 0 && status.st_nlink > 0;
}

/// The file goes last: whoever is killed on the way leaves a folder that is known for what it is.
void RemoveFolder(const fs::path& path) {
  std::error_code ignored;
  for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    if (entry->path().filename() != kLockName) fs::remove_all(entry->path(), ignored);
  }
  fs::remove(path / kLockName, ignored);
  fs::remove(path, ignored);
}

bool IsOwn(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Only a folder of this user that nobody else may write, so that nobody can put something else in the place
/// of what is removed.
void RemoveIfAbandoned(const fs::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  const int file = IsOwn(folder) ? openat(folder, kLockName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (file >= 0) {
    if (IsOwn(file) && Lock(file)) RemoveFolder(path);
    close(file);
  }
  close(folder);
}

/// Looking through a place is for once in the life of a process.
void TidyOnce(const std::string& parent) {
  static std::mutex mutex;
  static std::set<std::string> tidied;
  const std::lock_guard lock(mutex);
  if (tidied.insert(parent).second) RemoveAbandonedFolders(parent);
}

base::Diagnostic CannotMake(const std::string& what, const std::string& path, int error, bool is_temporary) {
  base::Diagnostic diagnostic = base::SystemError({path}, what, error);
  if (is_temporary) diagnostic.help = kHowToMoveThem;
  return diagnostic;
}

}  // namespace

base::Result<PrivateFolder> PrivateFolder::Make(const std::string& given, const std::string& name) {
  CULPRIT_CHECK(name.starts_with(kPrefix), "a private folder named '{}'", name);
  std::error_code error;
  const fs::path parent = given.empty() ? fs::temp_directory_path(error) : fs::path(given);
  const bool is_temporary = given.empty();
  if (error) return CannotMake("there is no folder for temporary files", "", error.value(), is_temporary);
  TidyOnce(parent);
  while (true) {
    std::string path = parent / (name + "-XXXXXX");
    if (mkdtemp(path.data()) == nullptr)
      return CannotMake("the folder cannot be made", path, errno, is_temporary);
    const std::string lock = path + "/" + kLockName;
    const int file = open(lock.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
      base::Diagnostic failed = CannotMake("the file cannot be made", lock, errno, is_temporary);
      rmdir(path.c_str());
      return failed;
    }
    PrivateFolder folder(std::move(path), file);
    if (LockNew(file)) return folder;
  }
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)) {}

PrivateFolder::~PrivateFolder() {
  if (path_.empty()) return;
  RemoveFolder(path_);
  close(lock_);
}

void RemoveAbandonedFolders(const std::string& parent) {
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    if (name.starts_with(kPrefix)) RemoveIfAbandoned(entry->path());
  }
}

}  // namespace culprit::files
