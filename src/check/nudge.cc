// SPDX-License-Identifier: Apache-2.0
#include "check/nudge.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace culprit::check {
namespace {

/// Neighbours of a floating-point number differ by one when their bits are read as an integer.
template <typename Number, typename Bits>
NudgedNumbers NudgeAll(void* data, size_t bytes, int exponent_bits, const Nudge& nudge) {
  static_assert(sizeof(Number) == sizeof(Bits));
  constexpr int kWidth = std::numeric_limits<Bits>::digits;
  const Bits magnitude_mask = std::numeric_limits<Bits>::max() >> 1;
  const Bits infinity = static_cast<Bits>(((Bits{1} << exponent_bits) - 1) << (kWidth - 1 - exponent_bits));
  Bits* all_bits = static_cast<Bits*>(data);
  NudgedNumbers seen;
  for (size_t i = 0; i < bytes / sizeof(Bits); ++i) {
    const Bits magnitude = all_bits[i] & magnitude_mask;
    if (magnitude == 0 || magnitude >= infinity) continue;
    Number number;
    std::memcpy(&number, &all_bits[i], sizeof(number));
    const double size = std::abs(static_cast<double>(number));
    seen.sum_of_sizes += size;
    seen.largest = std::max(seen.largest, size);
    if (nudge.keep_integers && size == std::floor(size)) continue;
    // Fibonacci hashing: no pattern that a model's own pattern could cancel.
    const uint64_t hash = (i + 1 + nudge.pattern * 0x2545F4914F6CDD1Du) * 0x9E3779B97F4A7C15u;
    const bool up = hash >> 63 != 0 && magnitude + 1 < infinity;
    all_bits[i] += up ? 1 : -1;
  }
  return seen;
}

}  // namespace

NudgedNumbers NudgeStorage(const c10::Storage& storage, at::ScalarType dtype, const Nudge& nudge) {
  switch (dtype) {
    case at::kHalf:
      return NudgeAll<c10::Half, uint16_t>(storage.mutable_data(), storage.nbytes(), 5, nudge);
    case at::kBFloat16:
      return NudgeAll<c10::BFloat16, uint16_t>(storage.mutable_data(), storage.nbytes(), 8, nudge);
    case at::kFloat:
      return NudgeAll<float, uint32_t>(storage.mutable_data(), storage.nbytes(), 8, nudge);
    case at::kDouble:
      return NudgeAll<double, uint64_t>(storage.mutable_data(), storage.nbytes(), 11, nudge);
    default:
      return {};
  }
}

}  // namespace culprit::check
