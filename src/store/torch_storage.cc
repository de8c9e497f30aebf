// SPDX-License-Identifier: Apache-2.0
#include "store/torch_storage.h"

#include <fmt/format.h>

#include "base/text.h"
#include "store/sha1.h"

namespace culprit::store {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;

/// The name below the archive's top folder, which is called differently in every version.
std::string_view NameInside(const ZipEntry& entry) {
  const std::string_view name = entry.name;
  const size_t slash = name.find('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
}

Result<ZipEntry> FindData(const files::OpenedFile& file, const std::vector<ZipEntry>& entries) {
  const ZipEntry* data = nullptr;
  size_t count = 0;
  for (const ZipEntry& entry : entries) {
    if (!NameInside(entry).starts_with("data/")) continue;
    data = &entry;
    ++count;
  }
  if (count == 1) return *data;
  return Diagnostic{{file.path}, fmt::format("holds {} instead of one", base::Counted(count, "storage"))};
}

}  // namespace

Status CheckByteOrder(const files::OpenedFile& file, const std::vector<ZipEntry>& entries) {
  for (const ZipEntry& entry : entries) {
    if (NameInside(entry) != "byteorder") continue;
    constexpr size_t kLongest = 16;
    std::string order(std::min<size_t>(entry.bytes, kLongest), '\0');
    if (order.size() == entry.bytes) {
      CULPRIT_TRY(ReadZipEntry(file, entry, std::as_writable_bytes(std::span(order))));
    }
    if (order == "little") continue;
    return Diagnostic{{file.path},
                      fmt::format("its byte order is '{}' instead of 'little'", base::Printable(order))};
  }
  return Done{};
}

Result<StoredStorage> ReadTorchStorage(const files::OpenedFile& file, const std::string& hash, int64_t bytes,
                                       bool verify) {
  const std::vector<ZipEntry> entries = CULPRIT_TRY(ListZip(file));
  const ZipEntry data = CULPRIT_TRY(FindData(file, entries));
  CULPRIT_TRY(CheckByteOrder(file, entries));
  if (bytes < 0 || data.bytes != static_cast<uint64_t>(bytes)) {
    return Diagnostic{{file.path}, fmt::format("its storage has {} bytes instead of {}", data.bytes, bytes)};
  }
  StoredStorage stored{.storage = CULPRIT_TRY(AllocateStorage(bytes))};
  CULPRIT_TRY(ReadZipEntry(file, data, BytesOf(stored.storage)));
  stored.verified = verify && Sha1(BytesOf(stored.storage)) == hash;
  return stored;
}

}  // namespace culprit::store
