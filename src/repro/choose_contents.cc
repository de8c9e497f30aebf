// SPDX-License-Identifier: Apache-2.0
#include "repro/choose_contents.h"

#include <zlib.h>

#include <algorithm>

namespace culprit::repro {

using base::Result;
using graph::InlineNumbers;
using graph::StorageContents;

Result<StorageContents> ContentsChooser::Choose(std::span<const std::byte> bytes, at::ScalarType dtype) {
  const size_t item = c10::elementSize(dtype);
  const bool is_large = bytes.size() / item > static_cast<size_t>(options_.inline_elements);
  if (is_large && options_.data == WriteOptions::Data::kStore) return Store(bytes);
  if (is_large || options_.data == WriteOptions::Data::kNone) return StorageContents();
  // Neither a rest that is smaller than an element, nor a bool that is neither true nor false, can be written
  // as one.
  const bool odd = bytes.size() % item != 0;
  const bool strange = dtype == at::kBool &&
                       std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  return StorageContents(InlineNumbers{odd || strange ? at::kByte : dtype,
                                       {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
}

Result<StorageContents> ContentsChooser::Store(std::span<const std::byte> bytes) {
  if (!store_) store_ = CULPRIT_TRY(store::Store::Create(store_path_));
  const store::ContentHash hash = CULPRIT_TRY(store_->WriteStorage(bytes));
  const uLong check = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return StorageContents(graph::StoredBytes{hash.ToString(), static_cast<uint32_t>(check)});
}

}  // namespace culprit::repro
