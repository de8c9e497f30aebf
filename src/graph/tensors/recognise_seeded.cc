// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/recognise_seeded.h"

#include <ATen/ops/full.h>

#include <cstring>

#include "graph/tensors/dtypes.h"

namespace culprit::graph {
namespace {

using Kind = SeededNumbers::Kind;

/// Other numbers differ somewhere in the first few, so most seeds cost nothing. A longer draw begins with the
/// same numbers as a shorter one, provided that both are drawn in blocks: at least two of 16.
constexpr int64_t kShort = 32;
constexpr int64_t kSame = 16;

bool Begins(const SeededNumbers& numbers, std::span<const std::byte> bytes, int64_t count) {
  const at::Tensor drawn = Draw(numbers);
  const size_t length = static_cast<size_t>(count) * c10::elementSize(numbers.dtype);
  return std::memcmp(drawn.data_ptr(), bytes.data(), length) == 0;
}

bool Is(SeededNumbers numbers, std::span<const std::byte> bytes) {
  const int64_t count = numbers.count;
  if (count > kShort) {
    numbers.count = kShort;
    if (!Begins(numbers, bytes, kSame)) return false;
    numbers.count = count;
  }
  return Begins(numbers, bytes, count);
}

}  // namespace

SeededNumbers SmallIntegers(at::ScalarType dtype, int64_t count, uint64_t seed) {
  return {.kind = Kind::kInteger,
          .dtype = dtype,
          .count = count,
          .seed = seed,
          .low = IsUnsigned(dtype) ? 0 : -3,
          .high = dtype == at::kBool ? 2 : 4};
}

std::optional<SeededNumbers> NormalNumbers(at::ScalarType dtype, int64_t count, uint64_t seed) {
  if (dtype != at::kFloat && dtype != at::kDouble && dtype != at::kBFloat16) return std::nullopt;
  return SeededNumbers{.kind = Kind::kNormal, .dtype = dtype, .count = count, .seed = seed};
}

std::optional<int> RecogniseConstant(const at::Tensor& flat) {
  if (flat.numel() <= kFewNumbers || flat.stride(0) != 1 || !HoldsNumbers(flat.scalar_type()))
    return std::nullopt;
  for (const int number : {0, 1}) {
    if (flat[0].ne(number).item<bool>()) continue;
    const at::Tensor same = at::full(flat.sizes(), number, flat.scalar_type());
    if (std::memcmp(same.data_ptr(), flat.data_ptr(), flat.nbytes()) == 0) return number;
  }
  return std::nullopt;
}

std::optional<SeededNumbers> RecogniseSeeded(std::span<const std::byte> bytes, at::ScalarType dtype) {
  const size_t item = c10::elementSize(dtype);
  if (bytes.empty() || bytes.size() % item != 0 || !CanBeDrawn(dtype)) return std::nullopt;
  const auto count = static_cast<int64_t>(bytes.size() / item);
  for (uint64_t seed = 1; seed <= kKnownSeeds; ++seed) {
    const SeededNumbers integers = SmallIntegers(dtype, count, seed);
    if (Is(integers, bytes)) return integers;
    const std::optional<SeededNumbers> normal = NormalNumbers(dtype, count, seed);
    if (normal && Is(*normal, bytes)) return normal;
  }
  return std::nullopt;
}

}  // namespace culprit::graph
