// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "base/is_hex.h"
#include "base/shell_word.h"
#include "compiler/jit/cache_entry.h"
#include "files/read_file.h"
#include "files/temporary_file.h"
#include "store/content_hash.h"

namespace culprit::compiler::jit {
namespace {

/// Beside the key: no other file that happens to lie there is ever removed, a store's, for example.
constexpr std::string_view kSuffix = ".kernel";
/// No kernel's object comes near it.
constexpr int64_t kMostFileBytes = int64_t{64} << 20U;

std::string NameOf(const std::string& key) {
  return key + std::string(kSuffix);
}

bool IsEntryName(std::string_view name) {
  return name.ends_with(kSuffix) &&
         base::IsHex(name.substr(0, name.size() - kSuffix.size()), store::ContentHash::kDigits);
}

std::optional<std::string> ReadTrusted(const files::OpenedFile& file, const std::string& key) {
  struct stat status = {};
  const bool is_trusted = fstat(file.descriptor.number(), &status) == 0 && S_ISREG(status.st_mode) &&
                          status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (!is_trusted || status.st_size > kMostFileBytes) return std::nullopt;
  std::string contents(static_cast<size_t>(status.st_size), '\0');
  if (!files::ReadAt(file, 0, std::as_writable_bytes(std::span(contents))).ok()) return std::nullopt;
  return DecodeEntry(contents, key);
}

struct Entry {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  std::string name;
  uint64_t bytes = 0;

  bool operator<(const Entry& other) const {
    return std::tie(seconds, nanoseconds, name) < std::tie(other.seconds, other.nanoseconds, other.name);
  }
};

std::vector<Entry> EntriesOf(const files::Folder& folder) {
  const int copy = openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, decltype(&closedir)> names(copy < 0 ? nullptr : fdopendir(copy), &closedir);
  std::vector<Entry> entries;
  if (names == nullptr) return entries;
  while (const dirent* name = readdir(names.get())) {
    struct stat status = {};
    if (!IsEntryName(name->d_name) ||
        fstatat(folder.descriptor(), name->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    entries.push_back(
        {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, name->d_name, static_cast<uint64_t>(status.st_size)});
  }
  return entries;
}

base::Status CheckFacts(const struct stat& status, const std::string& path) {
  if (status.st_uid != geteuid())
    return base::Diagnostic{{path}, "the folder belongs to another user, who could put code there"};
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return base::Done{};
  base::Diagnostic error{{path}, "others may write into the folder and could put code there"};
  error.help = fmt::format("look what is in it, then: chmod 700 {}", base::ShellWord(path));
  return error;
}

/// One that an earlier version has made for everybody to read becomes private.
base::Status MakePrivate(const files::Folder& folder) {
  struct stat status = {};
  if (fstat(folder.descriptor(), &status) != 0)
    return files::FileError(folder.path(), "cannot look at the folder", errno);
  CULPRIT_TRY(CheckFacts(status, folder.path()));
  const bool is_private = (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (!is_private) (void)fchmod(folder.descriptor(), status.st_mode & S_IRWXU);
  return base::Done{};
}

}  // namespace

base::Result<DiskCache> DiskCache::Open(const std::string& folder, uint64_t most_bytes) {
  std::error_code ignored;
  const std::filesystem::path parent = std::filesystem::path(folder).parent_path();
  std::filesystem::create_directories(parent, ignored);
  const bool is_new = mkdir(folder.c_str(), S_IRWXU) == 0;
  files::Folder opened = CULPRIT_TRY(files::Folder::Create(folder));
  if (!is_new) CULPRIT_TRY(MakePrivate(opened));
  return DiskCache(std::move(opened), most_bytes);
}

base::Status DiskCache::CheckPrivate(const std::string& folder) {
  struct stat status = {};
  return stat(folder.c_str(), &status) == 0 ? CheckFacts(status, folder) : base::Status(base::Done{});
}

DiskCache::Found DiskCache::Read(const std::string& key) const {
  const std::string name = NameOf(key);
  // Not Folder::OpenFile, which does not say whether there is none or something else.
  files::FileDescriptor descriptor(
      openat(folder_.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!descriptor.is_open()) return {.is_damaged = errno != ENOENT};
  const files::OpenedFile file{.descriptor = std::move(descriptor), .path = folder_.PathOf(name)};
  Found found{.object = ReadTrusted(file, key)};
  found.is_damaged = !found.object;
  if (found.object) futimens(file.descriptor.number(), /*times=*/nullptr);
  return found;
}

bool DiskCache::Write(const std::string& key, std::string_view object) const {
  const std::string contents = EncodeEntry(key, object);
  if (contents.size() > std::min<uint64_t>(most_bytes_, kMostFileBytes)) return false;
  base::Result<files::TemporaryFile> file = files::TemporaryFile::Create(folder_);
  const std::string name = NameOf(key);
  const bool written = file.ok() &&
                       file->Write(std::as_bytes(std::span(contents)), folder_.PathOf(name)).ok() &&
                       (*std::move(file)).PublishOver(name).ok();
  if (written && IsTimeToCleanUp(key, contents.size())) RemoveLongestUnused();
  return written;
}

bool DiskCache::IsTimeToCleanUp(const std::string& key, uint64_t bytes) const {
  // Keys are hashes: their digits are as good as drawn.
  constexpr size_t kDigits = 8;
  constexpr double kNumbers = 0x1p32;
  uint32_t drawn = 0;
  std::from_chars(key.data(), key.data() + kDigits, drawn, 16);
  constexpr double kShare = 32;
  return drawn / kNumbers * static_cast<double>(most_bytes_) < kShare * static_cast<double>(bytes);
}

void DiskCache::RemoveLongestUnused() const {
  // Whether it was possible matters to nobody: the next one tries again.
  (void)files::RemoveStaleFiles(folder_);
  std::vector<Entry> entries = EntriesOf(folder_);
  uint64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.bytes;
  std::sort(entries.begin(), entries.end());
  // An eighth is left for what is written until the next time.
  const uint64_t kept_bytes = most_bytes_ / 8 * 7;
  for (const Entry& entry : entries) {
    if (bytes <= kept_bytes) return;
    if (unlinkat(folder_.descriptor(), entry.name.c_str(), 0) == 0) bytes -= entry.bytes;
  }
}

}  // namespace culprit::compiler::jit
