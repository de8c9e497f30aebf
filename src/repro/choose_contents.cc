// SPDX-License-Identifier: Apache-2.0
#include "repro/choose_contents.h"

#include <algorithm>

#include "graph/draw_in_range.h"

namespace culprit::repro {

using base::Result;
using graph::InlineNumbers;

using graph::StorageContents;

Result<StorageContents> ContentsChooser::Choose(std::span<const std::byte> bytes, at::ScalarType dtype,
                                                const std::optional<graph::InputRange>& range) {
  is_random_ = false;
  const size_t item = c10::elementSize(dtype);
  const size_t count = bytes.size() / item;
  if (count > static_cast<size_t>(options_.inline_elements)) {
    if (options_.data == WriteOptions::Data::kStore) return Store(bytes);
    is_random_ = true;
    return graph::DrawInRange(range, dtype, static_cast<int64_t>((bytes.size() + item - 1) / item),
                              next_seed_++);
  }
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
  return StorageContents(graph::StoredBytes{CULPRIT_TRY(store_->WriteStorage(bytes)).ToString()});
}

}  // namespace culprit::repro
