// SPDX-License-Identifier: Apache-2.0
#include "store/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.h"
#include "files/read_file.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

using Bytes = std::span<const std::byte>;

// The best that deflate can do, rounded up.
constexpr uint64_t kBestCompression = 1040;

constexpr uint32_t kEndSignature = 0x06054b50;
constexpr uint32_t kEnd64LocatorSignature = 0x07064b50;
constexpr uint32_t kEnd64Signature = 0x06064b50;
constexpr uint32_t kEntrySignature = 0x02014b50;
constexpr uint32_t kLocalSignature = 0x04034b50;
constexpr size_t kEndSize = 22;
constexpr size_t kEnd64LocatorSize = 20;
constexpr size_t kEnd64Size = 56;
constexpr size_t kEntrySize = 46;
constexpr size_t kLocalSize = 30;
constexpr size_t kLongestComment = 0xffff;
constexpr uint64_t kIn64BitField = 0xffffffff;
constexpr uint16_t k64BitFields = 1;

Diagnostic Broken(const files::OpenedFile& file, std::string_view what) {
  return {{file.path}, fmt::format("is a broken zip archive: {}", what)};
}

/// A little-endian number.
template <typename Number>
Number Get(Bytes bytes, size_t offset) {
  CULPRIT_CHECK(offset + sizeof(Number) <= bytes.size(), "a number behind the end");
  uint64_t number = 0;
  for (size_t i = sizeof(Number); i-- > 0;)
    number = number << 8 | std::to_integer<uint64_t>(bytes[offset + i]);
  return static_cast<Number>(number);
}

Result<std::vector<std::byte>> Read(const files::OpenedFile& file, uint64_t offset, uint64_t size) {
  const auto file_size = static_cast<uint64_t>(file.bytes);
  if (offset > file_size || size > file_size - offset) return Broken(file, "it is cut off");
  std::vector<std::byte> bytes(size);
  CULPRIT_TRY(files::ReadAt(file, offset, bytes));
  return bytes;
}

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
};

Result<Directory> FindDirectory64(const files::OpenedFile& file, uint64_t end_offset, Directory found) {
  if (end_offset < kEnd64LocatorSize) return found;
  const auto locator = CULPRIT_TRY(Read(file, end_offset - kEnd64LocatorSize, kEnd64LocatorSize));
  if (Get<uint32_t>(locator, 0) != kEnd64LocatorSignature) return found;
  const auto end = CULPRIT_TRY(Read(file, Get<uint64_t>(locator, 8), kEnd64Size));
  if (Get<uint32_t>(end, 0) != kEnd64Signature) return Broken(file, "its 64-bit end is missing");
  return Directory{.offset = Get<uint64_t>(end, 48), .size = Get<uint64_t>(end, 40)};
}

Result<Directory> FindDirectory(const files::OpenedFile& file) {
  const auto file_size = static_cast<uint64_t>(file.bytes);
  const uint64_t tail_size = std::min<uint64_t>(file_size, kEndSize + kLongestComment);
  const auto tail = CULPRIT_TRY(Read(file, file_size - tail_size, tail_size));
  for (size_t start = tail.size() < kEndSize ? 0 : tail.size() - kEndSize + 1; start-- > 0;) {
    if (Get<uint32_t>(tail, start) != kEndSignature) continue;
    const Directory found = {.offset = Get<uint32_t>(tail, start + 16),
                             .size = Get<uint32_t>(tail, start + 12)};
    return FindDirectory64(file, file_size - tail_size + start, found);
  }
  Diagnostic error{{file.path}, "is no zip archive"};
  if (file_size >= 4 && Get<uint32_t>(CULPRIT_TRY(Read(file, 0, 4)), 0) == kLocalSignature)
    error.message = "is a zip archive without its end: the file is cut off";
  return error;
}

/// Replaces the fields that did not fit into 32 bits; they follow each other in a part of the extra data.
bool Take64BitFields(Bytes extra, std::initializer_list<uint64_t*> fields) {
  while (extra.size() >= 4) {
    const auto id = Get<uint16_t>(extra, 0);
    const auto size = Get<uint16_t>(extra, 2);
    if (size > extra.size() - 4) return false;
    const Bytes part = extra.subspan(4, size);
    extra = extra.subspan(4 + size_t{size});
    if (id != k64BitFields) continue;
    size_t offset = 0;
    for (uint64_t* field : fields) {
      if (*field != kIn64BitField) continue;
      if (part.size() < offset + sizeof(uint64_t)) return false;
      *field = Get<uint64_t>(part, offset);
      offset += sizeof(uint64_t);
    }
  }
  return true;
}

/// Takes one entry off the front of the directory.
Result<ZipEntry> TakeEntry(const files::OpenedFile& file, Bytes& directory) {
  if (directory.size() < kEntrySize || Get<uint32_t>(directory, 0) != kEntrySignature) {
    return Broken(file, "an entry of its directory has no beginning");
  }
  const size_t name_size = Get<uint16_t>(directory, 28);
  const size_t extra_size = Get<uint16_t>(directory, 30);
  const size_t size = kEntrySize + name_size + extra_size + Get<uint16_t>(directory, 32);
  if (size > directory.size()) return Broken(file, "an entry of its directory has no end");
  const auto flags = Get<uint16_t>(directory, 8);
  const auto method = Get<uint16_t>(directory, 10);
  const Bytes name = directory.subspan(kEntrySize, name_size);
  ZipEntry entry{.name = std::string(reinterpret_cast<const char*>(name.data()), name.size()),
                 .is_deflated = method == Z_DEFLATED,
                 .crc = Get<uint32_t>(directory, 16),
                 .stored_bytes = Get<uint32_t>(directory, 20),
                 .bytes = Get<uint32_t>(directory, 24),
                 .header_offset = Get<uint32_t>(directory, 42)};
  const Bytes extra = directory.subspan(kEntrySize + name_size, extra_size);
  if (!Take64BitFields(extra, {&entry.bytes, &entry.stored_bytes, &entry.header_offset})) {
    return Broken(file, "64-bit sizes are missing");
  }
  if ((flags & 1) != 0 || (method != 0 && method != Z_DEFLATED)) {
    return Diagnostic{{file.path},
                      fmt::format("'{}' in it is encrypted, or compressed by method {}",
                                  base::Printable(entry.name), method)};
  }
  const bool fits = entry.stored_bytes <= static_cast<uint64_t>(file.bytes) &&
                    (entry.is_deflated ? entry.bytes <= entry.stored_bytes * kBestCompression
                                       : entry.bytes == entry.stored_bytes);
  if (!fits)
    return Broken(file, fmt::format("'{}' claims {} bytes", base::Printable(entry.name), entry.bytes));
  directory = directory.subspan(size);
  return entry;
}

Status Inflate(const files::OpenedFile& file, uint64_t offset, const ZipEntry& entry,
               std::span<std::byte> target) {
  constexpr uint64_t kChunk = 256 << 10;
  constexpr uint64_t kLargestStep = 1 << 30;  // zlib counts in 32 bits
  z_stream stream = {};
  CULPRIT_CHECK(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib cannot start");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
  stream.next_out = reinterpret_cast<Bytef*>(target.data());
  uint64_t rest = entry.stored_bytes;
  int status = Z_OK;
  while (status == Z_OK && rest > 0) {
    auto chunk = CULPRIT_TRY(Read(file, offset, std::min(kChunk, rest)));
    offset += chunk.size();
    rest -= chunk.size();
    stream.next_in = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_in = static_cast<uInt>(chunk.size());
    while (status == Z_OK && stream.avail_in > 0) {
      const uint64_t left = target.size() - stream.total_out;
      stream.avail_out = static_cast<uInt>(std::min(left, kLargestStep));
      status = inflate(&stream, Z_NO_FLUSH);
    }
  }
  if (status != Z_STREAM_END || stream.total_out != target.size()) {
    return Broken(
        file, fmt::format("'{}' cannot be inflated to {} bytes", base::Printable(entry.name), entry.bytes));
  }
  return Done{};
}

}  // namespace

Result<std::vector<ZipEntry>> ListZip(const files::OpenedFile& file, const ZipLimits& limits) {
  const Directory place = CULPRIT_TRY(FindDirectory(file));
  if (place.size > limits.directory_bytes)
    return Broken(file, fmt::format("a directory of {} bytes", place.size));
  const std::vector<std::byte> bytes = CULPRIT_TRY(Read(file, place.offset, place.size));
  std::vector<ZipEntry> entries;
  for (Bytes directory(bytes); !directory.empty();) {
    if (entries.size() == limits.entries)
      return Broken(file, fmt::format("more than {} files", limits.entries));
    entries.push_back(CULPRIT_TRY(TakeEntry(file, directory)));
  }
  return entries;
}

Status ReadZipEntry(const files::OpenedFile& file, const ZipEntry& entry, std::span<std::byte> target) {
  CULPRIT_CHECK(target.size() == entry.bytes, "{} bytes for {}", target.size(), entry.bytes);
  const auto header = CULPRIT_TRY(Read(file, entry.header_offset, kLocalSize));
  if (Get<uint32_t>(header, 0) != kLocalSignature) {
    return Broken(file, fmt::format("'{}' has no beginning", base::Printable(entry.name)));
  }
  const uint64_t offset =
      entry.header_offset + kLocalSize + Get<uint16_t>(header, 26) + Get<uint16_t>(header, 28);
  CULPRIT_TRY(entry.is_deflated ? Inflate(file, offset, entry, target) : files::ReadAt(file, offset, target));
  if (crc32_z(0, reinterpret_cast<const Bytef*>(target.data()), target.size()) != entry.crc) {
    return Broken(file, fmt::format("'{}' does not have its checksum", base::Printable(entry.name)));
  }
  return Done{};
}

}  // namespace culprit::store
