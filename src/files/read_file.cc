// SPDX-License-Identifier: Apache-2.0
#include "files/read_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/text.h"

namespace culprit::files {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

Status ReadAt(const OpenedFile& file, uint64_t offset, std::span<std::byte> target) {
  while (!target.empty()) {
    const ssize_t count =
        pread(file.descriptor.number(), target.data(), target.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(file.path, "cannot read it", errno);
    if (count == 0) return Diagnostic{{file.path}, fmt::format("ends at byte {}", offset)};
    offset += static_cast<uint64_t>(count);
    target = target.subspan(static_cast<size_t>(count));
  }
  return Done{};
}

Result<bool> HasContents(const OpenedFile& file, std::span<const std::byte> contents) {
  if (file.bytes != static_cast<int64_t>(contents.size())) return false;
  constexpr size_t kChunk = 256 << 10;
  std::vector<std::byte> chunk(std::min(kChunk, contents.size()));
  for (size_t begin = 0; begin < contents.size(); begin += kChunk) {
    const auto expected = contents.subspan(begin, std::min(kChunk, contents.size() - begin));
    CULPRIT_TRY(ReadAt(file, begin, std::span(chunk).first(expected.size())));
    if (std::memcmp(chunk.data(), expected.data(), expected.size()) != 0) return false;
  }
  return true;
}

Result<std::string> ReadText(const OpenedFile& file, int64_t max_bytes) {
  if (file.bytes > max_bytes) {
    return Diagnostic{{file.path},
                      fmt::format("has {}, more than the {} that are read", base::HumanBytes(file.bytes),
                                  base::HumanBytes(max_bytes))};
  }
  std::string text(static_cast<size_t>(file.bytes), '\0');
  CULPRIT_TRY(ReadAt(file, 0, std::as_writable_bytes(std::span(text))));
  return text;
}

Result<std::string> ReadText(const std::string& path, int64_t max_bytes) {
  const std::filesystem::path file(path);
  const Folder folder = CULPRIT_TRY(Folder::Open(file.has_parent_path() ? file.parent_path().string() : "."));
  return ReadText(CULPRIT_TRY(folder.OpenFile(file.filename())), max_bytes);
}

}  // namespace culprit::files
