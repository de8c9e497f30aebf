// SPDX-License-Identifier: Apache-2.0
#include "files/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace culprit::files {
namespace {

using base::Diagnostic;
using base::Result;

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  return "a device";
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

Diagnostic FileError(const std::string& path, std::string_view what, int error_number) {
  const char* known = strerrordesc_np(error_number);
  std::string reason = known != nullptr ? known : fmt::format("error {}", error_number);
  reason[0] = static_cast<char>(std::tolower(reason[0]));
  Diagnostic error{{path}, fmt::format("{}: {}", what, reason)};
  error.cause = base::CauseOf(error_number);
  return error;
}

Result<Folder> Folder::Open(const std::string& path) {
  FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) return FileError(path, "cannot open the folder", errno);
  return Folder(path, std::move(descriptor));
}

Result<Folder> Folder::Create(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return FileError(path, "cannot make the folder", error.value());
  return Open(path);
}

bool Folder::Contains(const std::string& name) const {
  return faccessat(descriptor(), name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<OpenedFile> Folder::OpenFile(const std::string& name) const {
  OpenedFile file{.descriptor = FileDescriptor(
                      openat(descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
                  .path = PathOf(name)};
  if (!file.descriptor.is_open()) {
    if (errno == ELOOP) return Diagnostic{{file.path}, "is a symbolic link where a file is expected"};
    return FileError(file.path, "cannot open it", errno);
  }
  struct stat status = {};
  if (fstat(file.descriptor.number(), &status) != 0) return FileError(file.path, "cannot open it", errno);
  if (!S_ISREG(status.st_mode)) {
    return Diagnostic{{file.path}, fmt::format("is {} where a file is expected", KindOf(status.st_mode))};
  }
  file.bytes = status.st_size;
  return file;
}

}  // namespace culprit::files
