// SPDX-License-Identifier: Apache-2.0
#include "compiler/run/all_within_bounds.h"

#include <atomic>

#include "process/parallel.h"

namespace culprit::compiler::run {
namespace {

// Fewer are looked at before a thread has started.
constexpr int64_t kWorthAThread = 1 << 16;

/// A number is outside if one of two differences is negative. They are unsigned, since the other one may wrap
/// around then, and there is no branch, so that several numbers go at a time.
class Range {
 public:
  Range(int64_t lowest, int64_t end)
      : lowest_(static_cast<uint64_t>(lowest)), highest_(static_cast<uint64_t>(end - 1)) {}

  template <typename Number>
  bool HasAll(const Number* numbers, int64_t count, int64_t stride = 1) const {
    // Numbers that lie side by side are looked at in a loop of their own.
    if (stride == 1) return HasAll(count, [&](int64_t i) { return numbers[i]; });
    return HasAll(count, [&](int64_t i) { return numbers[i * stride]; });
  }

 private:
  template <typename Read>
  bool HasAll(int64_t count, const Read& number) const {
    uint64_t outside = 0;
    for (int64_t i = 0; i < count; ++i) outside |= Outside(number(i));
    return (outside >> 63U) == 0;
  }

  /// The first bit says it.
  uint64_t Outside(int64_t number) const {
    const auto bits = static_cast<uint64_t>(number);
    return (bits - lowest_) | (highest_ - bits);
  }

  uint64_t lowest_;
  uint64_t highest_;
};

template <typename Number>
bool HasDense(const Range& range, const Number* numbers, int64_t count) {
  std::atomic<bool> has_all = true;
  process::ParallelFor(0, count, kWorthAThread, [&](int64_t begin, int64_t end) {
    if (!range.HasAll(numbers + begin, end - begin)) has_all = false;
  });
  return has_all;
}

template <typename Number>
bool HasStrided(const Range& range, const Number* numbers, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  if (sizes.empty()) return range.HasAll(numbers, 1);
  // All are the same ones.
  const int64_t count = strides[0] == 0 ? 1 : sizes[0];
  if (sizes.size() == 1) return range.HasAll(numbers, count, strides[0]);
  bool has_all = true;
  for (int64_t i = 0; has_all && i < count; ++i)
    has_all = HasStrided(range, numbers + i * strides[0], sizes.slice(1), strides.slice(1));
  return has_all;
}

template <typename Number>
bool HasAll(const Range& range, const at::Tensor& numbers) {
  const auto* first = numbers.data_ptr<Number>();
  if (numbers.is_non_overlapping_and_dense()) return HasDense(range, first, numbers.numel());
  return HasStrided(range, first, numbers.sizes(), numbers.strides());
}

}  // namespace

bool AllWithinBounds(const at::Tensor& numbers, int64_t lowest, int64_t end) {
  if (numbers.numel() == 0) return true;
  const Range range(lowest, end);
  return numbers.scalar_type() == at::kInt ? HasAll<int32_t>(range, numbers)
                                           : HasAll<int64_t>(range, numbers);
}

}  // namespace culprit::compiler::run
