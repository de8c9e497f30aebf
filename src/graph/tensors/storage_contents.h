// SPDX-License-Identifier: Apache-2.0
//
// How the bytes of a storage are known where no tensor is at hand: written out, kept in a store under their
// hash, or drawn from a seed.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace culprit::graph {

/// The bytes themselves. They are written as numbers of this dtype, which is integer or floating.
struct InlineNumbers {
  at::ScalarType dtype = at::kByte;
  std::string bytes;
  bool operator==(const InlineNumbers&) const = default;
};

struct StoredBytes {
  std::string hash;
  /// For readers that cannot compute the hash.
  std::optional<uint32_t> crc32 = std::nullopt;
  bool operator==(const StoredBytes&) const = default;
};

/// What libtorch's CPU generator gives when it starts from `seed`: standard normal numbers, numbers from [0,
/// 1), the same taken from 1, which are from (0, 1], or integers from [low, high).
struct SeededNumbers {
  enum class Kind : uint8_t { kNormal, kUniform, kPositive, kInteger };
  Kind kind = Kind::kNormal;
  at::ScalarType dtype = at::kFloat;
  int64_t count = 0;
  uint64_t seed = 0;
  int64_t low = 0;
  int64_t high = 0;
  bool operator==(const SeededNumbers&) const = default;
};

/// Unknown contents are std::monostate.
using StorageContents = std::variant<std::monostate, InlineNumbers, StoredBytes, SeededNumbers>;

/// The bytes that a store keeps under a hash, as a vector of kByte that nobody else writes to.
using LoadBytes = std::function<base::Result<at::Tensor>(std::string_view hash, int64_t bytes)>;

at::Tensor Draw(const SeededNumbers& numbers);

/// A vector of kByte; the caller may write to it. Contents that are unknown or shorter than `bytes` are an
/// error.
base::Result<at::Tensor> MakeContents(const StorageContents& contents, int64_t bytes, const LoadBytes& load);

}  // namespace culprit::graph
