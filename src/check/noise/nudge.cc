// SPDX-License-Identifier: Apache-2.0
#include "check/noise/nudge.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

/// As splitmix64 does it: no pattern that a model's own pattern could cancel, and none that is nearly
/// another.
uint64_t Mixed(uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

/// Neighbours of a floating-point number differ by one when their bits are read as an integer.
template <typename Number, typename Bits>
size_t NudgeAll(void* data, size_t bytes, int exponent_bits, const Nudge& nudge) {
  static_assert(sizeof(Number) == sizeof(Bits));
  constexpr int kWidth = std::numeric_limits<Bits>::digits;
  const Bits magnitude_mask = std::numeric_limits<Bits>::max() >> 1;
  const Bits infinity = static_cast<Bits>(((Bits{1} << exponent_bits) - 1) << (kWidth - 1 - exponent_bits));
  Bits* all_bits = static_cast<Bits*>(data);
  const double first_without_fraction = std::ldexp(1.0, kWidth - exponent_bits);
  for (size_t i = 0; i < bytes / sizeof(Bits); ++i) {
    const Bits magnitude = all_bits[i] & magnitude_mask;
    if (magnitude == 0 || magnitude >= infinity) continue;
    Number number;
    std::memcpy(&number, &all_bits[i], sizeof(number));
    const double size = std::abs(static_cast<double>(number));
    if (nudge.keep_integers && size == std::floor(size) && size < first_without_fraction) continue;
    const auto units = static_cast<Bits>(std::min<uint64_t>(nudge.units, magnitude));
    const bool up = Mixed(i + nudge.pattern * 0x2545F4914F6CDD1Du) >> 63 != 0 && infinity - magnitude > units;
    all_bits[i] += up ? units : -units;
  }
  return bytes / sizeof(Bits);
}

}  // namespace

size_t NudgeStorage(const c10::Storage& storage, at::ScalarType dtype, const Nudge& nudge) {
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
      return 0;
  }
}

size_t NudgeElements(const at::Tensor& tensor, const Nudge& nudge) {
  const at::ScalarType dtype = c10::toRealValueType(tensor.scalar_type());
  const bool is_a_part = tensor.numel() * static_cast<int64_t>(tensor.itemsize()) <
                             static_cast<int64_t>(tensor.storage().nbytes()) &&
                         at::has_internal_overlap(tensor) != at::MemOverlap::Yes;
  if (!is_a_part) return NudgeStorage(tensor.storage(), dtype, nudge);
  graph::Geometry geometry = graph::Geometry::Of(tensor);
  geometry.conjugated = geometry.negated = false;
  const at::NoGradGuard no_grad;
  // Another tensor in the same place, so that autograd sees no write.
  const at::Tensor there = graph::TensorOn(tensor.storage(), geometry);
  const at::Tensor moved = there.clone(at::MemoryFormat::Contiguous);
  const size_t count = NudgeStorage(moved.storage(), dtype, nudge);
  there.copy_(moved);
  return count;
}

}  // namespace culprit::check
