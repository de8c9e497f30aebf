// SPDX-License-Identifier: Apache-2.0
#include "repro/choose_contents.h"

#include <ATen/ops/from_blob.h>
#include <zlib.h>

#include <algorithm>

#include "graph/tensors/recognise_seeded.h"

namespace culprit::repro {

using base::Result;
using graph::InlineNumbers;
using graph::StorageContents;

namespace {

/// Contents that take no more than a few words.
std::optional<StorageContents> Recognise(std::span<const std::byte> bytes, at::ScalarType dtype) {
  if (const std::optional<graph::SeededNumbers> seeded = graph::RecogniseSeeded(bytes, dtype)) return *seeded;
  if (bytes.size() % c10::elementSize(dtype) != 0) return std::nullopt;
  const auto count = static_cast<int64_t>(bytes.size() / c10::elementSize(dtype));
  const at::Tensor flat = at::from_blob(const_cast<std::byte*>(bytes.data()), {count}, dtype);
  if (!graph::RecogniseConstant(flat)) return std::nullopt;
  return InlineNumbers{dtype, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

}  // namespace

Result<StorageContents> ContentsChooser::Choose(std::span<const std::byte> bytes, at::ScalarType dtype) {
  const size_t item = c10::elementSize(dtype);
  const auto count = static_cast<int64_t>(bytes.size() / item);
  if (options_.data != WriteOptions::Data::kNone && count > graph::kFewNumbers) {
    if (std::optional<StorageContents> contents = Recognise(bytes, dtype)) return *std::move(contents);
  }
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
