// SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of inputs and constants go: into the text, into the store, or nowhere.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "graph/tensors/storage_contents.h"
#include "repro/write_repro.h"
#include "store/store.h"

namespace culprit::repro {

class ContentsChooser {
 public:
  /// The store is made at `store_path` when the first tensor needs it.
  ContentsChooser(const WriteOptions& options, std::string store_path)
      : options_(options), store_path_(std::move(store_path)) {}

  /// Unknown if the bytes are not to be kept. `dtype` is integer or floating; it decides how many elements
  /// there are and how they are written.
  base::Result<graph::StorageContents> Choose(std::span<const std::byte> bytes, at::ScalarType dtype);

 private:
  base::Result<graph::StorageContents> Store(std::span<const std::byte> bytes);

  const WriteOptions& options_;
  std::string store_path_;
  std::optional<store::Store> store_;
};

}  // namespace culprit::repro
