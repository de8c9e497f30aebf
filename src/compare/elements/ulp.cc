// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/ulp.h"

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <bit>
#include <cmath>
#include <limits>

namespace culprit::compare {
namespace {

/// The bits of a floating-point number are sign and magnitude; as integers, magnitudes are in the order of
/// the numbers.
template <typename Bits>
int64_t Rank(Bits bits) {
  constexpr Bits kSign = Bits{1} << (std::numeric_limits<Bits>::digits - 1);
  const auto magnitude = static_cast<int64_t>(bits & ~kSign);
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

int64_t RankOf(double value, c10::ScalarType dtype) {
  switch (c10::toRealValueType(dtype)) {
    case c10::ScalarType::Float8_e5m2:
      return Rank(c10::Float8_e5m2(static_cast<float>(value)).x);
    case c10::ScalarType::Float8_e4m3fn:
      return Rank(c10::Float8_e4m3fn(static_cast<float>(value)).x);
    case c10::ScalarType::Float8_e5m2fnuz:
      return Rank(c10::Float8_e5m2fnuz(static_cast<float>(value)).x);
    case c10::ScalarType::Float8_e4m3fnuz:
      return Rank(c10::Float8_e4m3fnuz(static_cast<float>(value)).x);
    case c10::ScalarType::Float8_e8m0fnu:
      return c10::Float8_e8m0fnu(static_cast<float>(value)).x;
    case c10::ScalarType::Half:
      return Rank(c10::Half(static_cast<float>(value)).x);
    case c10::ScalarType::BFloat16:
      return Rank(c10::BFloat16(static_cast<float>(value)).x);
    case c10::ScalarType::Float:
      return Rank(std::bit_cast<uint32_t>(static_cast<float>(value)));
    default:
      return Rank(std::bit_cast<uint64_t>(value));
  }
}

}  // namespace

uint64_t UlpDistance(double a, double b, c10::ScalarType dtype) {
  if (c10::isIntegralType(dtype, /*includeBool=*/true)) {
    const double difference = std::abs(a - b);
    return difference < 0x1p64 ? static_cast<uint64_t>(difference) : UINT64_MAX;
  }
  // The two may lie on opposite ends of the range of int64.
  const auto rank_a = static_cast<uint64_t>(RankOf(a, dtype));
  const auto rank_b = static_cast<uint64_t>(RankOf(b, dtype));
  return RankOf(a, dtype) > RankOf(b, dtype) ? rank_a - rank_b : rank_b - rank_a;
}

}  // namespace culprit::compare
