// SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of inputs and constants go: into the text, into the store, or nowhere.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "graph/input_ranges.h"
#include "graph/storage_contents.h"
#include "repro/write_repro.h"
#include "store/store.h"

namespace culprit::repro {

class ContentsChooser {
 public:
  /// The store is made at `store_path` when the first tensor needs it.
  ContentsChooser(const WriteOptions& options, std::string store_path)
      : options_(options), store_path_(std::move(store_path)) {}

  /// `dtype` is integer or floating; it decides how many elements there are and how they are written or
  /// drawn.
  /// `range` is for numbers that are drawn.
  base::Result<graph::StorageContents> Choose(std::span<const std::byte> bytes, at::ScalarType dtype,
                                              const std::optional<graph::InputRange>& range = std::nullopt);

  /// Whether the last choice loses the bytes.
  bool is_random() const { return is_random_; }

 private:
  base::Result<graph::StorageContents> Store(std::span<const std::byte> bytes);

  const WriteOptions& options_;
  std::string store_path_;
  std::optional<store::Store> store_;
  uint64_t next_seed_ = 1;
  bool is_random_ = false;
};

}  // namespace culprit::repro
