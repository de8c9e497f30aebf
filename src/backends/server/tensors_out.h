// SPDX-License-Identifier: Apache-2.0
//
// Tensors on their way to a server. Their storages are copied into memory that both sides see: strides,
// offsets and shared memory stay, and what the compiler writes into its inputs comes back.
//
//   {"storage": 0, "sizes": [2, 3], "strides": [3, 1], "offset": 0, "dtype": "float32", "device": "cpu"}
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "isolate/wire/shared_memory.h"

namespace culprit::backends::server {

class TensorsOut {
 public:
  /// With its memory. Throws backend::Refusal for one that is no plain memory of the CPU.
  nlohmann::json Add(const at::Tensor& tensor);

  /// Copies the memory; to be called once, when all are added.
  void Fill();

  /// [[descriptor, offset, bytes], ...]
  nlohmann::json storages() const;
  std::vector<std::shared_ptr<isolate::SharedMemory>> memory() const;
  const std::vector<c10::Storage>& originals() const { return originals_; }

  /// What was written into the memory is copied into the storages.
  void CopyBack() const;

 private:
  struct Place {
    size_t offset = 0;
    size_t bytes = 0;
  };
  size_t PlaceOf(const c10::Storage& storage);

  std::map<const void*, size_t> indices_;
  std::vector<c10::Storage> originals_;
  std::vector<Place> places_;
  size_t bytes_ = 0;
  std::shared_ptr<isolate::SharedMemory> memory_;
};

/// What is said about a tensor, without its memory: it may be fake.
class DescribedOut {
 public:
  nlohmann::json Add(const at::Tensor& tensor);

 private:
  std::map<const void*, size_t> indices_;
};

}  // namespace culprit::backends::server
