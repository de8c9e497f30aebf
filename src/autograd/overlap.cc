// SPDX-License-Identifier: Apache-2.0
#include "autograd/overlap.h"

#include <numeric>

namespace culprit::autograd {
namespace {

/// All in bytes.
struct Reach {
  int64_t begin = 0;
  int64_t end = 0;
  /// Elements begin at multiples of it, counted from the beginning.
  int64_t step = 0;

  static Reach Of(const at::Tensor& tensor) {
    const auto item = static_cast<int64_t>(tensor.itemsize());
    Reach reach{.begin = tensor.storage_offset() * item};
    reach.end = reach.begin + item;
    for (int64_t d = 0; d < tensor.dim(); ++d) {
      if (tensor.size(d) <= 1) continue;
      reach.end += (tensor.size(d) - 1) * tensor.stride(d) * item;
      reach.step = std::gcd(reach.step, tensor.stride(d) * item);
    }
    return reach;
  }
};

bool AreInterleaved(const Reach& a, const Reach& b, int64_t item) {
  const int64_t step = std::gcd(a.step, b.step);
  if (step == 0) return false;
  const int64_t distance = std::abs(a.begin - b.begin) % step;
  return distance >= item && step - distance >= item;
}

}  // namespace

Overlap OverlapOf(const at::Tensor& a, const at::Tensor& b) {
  if (a.storage().unsafeGetStorageImpl() != b.storage().unsafeGetStorageImpl()) return Overlap::kNone;
  if (a.numel() == 0 || b.numel() == 0) return Overlap::kNone;
  if (a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
      a.dtype() == b.dtype())
    return Overlap::kSame;
  const Reach reach_a = Reach::Of(a);
  const Reach reach_b = Reach::Of(b);
  if (reach_a.end <= reach_b.begin || reach_b.end <= reach_a.begin) return Overlap::kNone;
  const auto item = static_cast<int64_t>(std::max(a.itemsize(), b.itemsize()));
  return AreInterleaved(reach_a, reach_b, item) ? Overlap::kNone : Overlap::kOther;
}

}  // namespace culprit::autograd
