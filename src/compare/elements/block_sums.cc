// SPDX-License-Identifier: Apache-2.0
#include "compare/elements/block_sums.h"

#include <cmath>
#include <cstring>

namespace culprit::compare {
namespace {

constexpr int kLanes = 4;
using Doubles = double __attribute__((vector_size(kLanes * sizeof(double))));
using Integers = int64_t __attribute__((vector_size(kLanes * sizeof(int64_t))));

constexpr int64_t kAllButSign = INT64_MAX;

#define CULPRIT_INLINE __attribute__((always_inline)) inline

/// Functions that are inlined into their caller, and so compiled for its instruction set. Vectors are passed
/// by reference, since how they are passed by value depends on it.
struct Lanes {
  Doubles reference = {};
  Doubles result = {};
  Doubles between = {};
  Doubles size = {};
  Doubles max_abs = {};
  Integers mismatching = {};

  CULPRIT_INLINE void Add(const Doubles& r, const Doubles& s, const Doubles& w, const Doubles& absolute,
                          const Doubles& relative) {
    const Doubles error = r - s;
    const Doubles reference_error = w - r;
    const Doubles result_error = w - s;
    const Doubles distance = reinterpret_cast<Doubles>(reinterpret_cast<Integers>(error) & kAllButSign);
    const Doubles result_size = reinterpret_cast<Doubles>(reinterpret_cast<Integers>(s) & kAllButSign);
    reference += reference_error * reference_error;
    result += result_error * result_error;
    between += error * error;
    size += r * r;
    max_abs = distance > max_abs ? distance : max_abs;
    mismatching -= distance > absolute + relative * result_size;
  }
};

template <typename T>
CULPRIT_INLINE void Load(const T* from, Doubles& to) {
  using Vector = T __attribute__((vector_size(kLanes * sizeof(T))));
  Vector values;
  std::memcpy(&values, from, sizeof(values));
  to = __builtin_convertvector(values, Doubles);
}

/// Elements between two looks ahead: a cache line of float32.
constexpr int64_t kStep = 16;

/// There is so much to compute per line that the processor alone does not look far enough ahead.
template <typename T>
CULPRIT_INLINE void FetchAhead(const T* from) {
  constexpr uintptr_t kLine = 64;
  constexpr uintptr_t kDistance = 16 * kLine;
  const uintptr_t ahead = reinterpret_cast<uintptr_t>(from) + kDistance * sizeof(T) / sizeof(float);
  for (uintptr_t line = 0; line < kStep * sizeof(T); line += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + line));
}

/// The last elements, behind which comes nothing that could be loaded; the missing ones count as equal.
template <typename T>
CULPRIT_INLINE void LoadTail(const T* from, int64_t count, Doubles& to) {
  T values[kLanes] = {};
  for (int64_t i = 0; i < count; ++i) values[i] = from[i];
  Load(values, to);
}

template <typename T, typename Fp64>
CULPRIT_INLINE BlockSums SumLanes(const T* reference, const T* result, const Fp64* fp64, int64_t count,
                                  double absolute, double relative) {
  Lanes lanes;
  const Doubles absolutes = Doubles{} + absolute;
  const Doubles relatives = Doubles{} + relative;
  Doubles r;
  Doubles s;
  Doubles w;
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    FetchAhead(reference + i);
    FetchAhead(result + i);
    FetchAhead(fp64 + i);
    for (int64_t j = i; j < i + kStep; j += kLanes) {
      Load(reference + j, r);
      Load(result + j, s);
      Load(fp64 + j, w);
      lanes.Add(r, s, w, absolutes, relatives);
    }
  }
  for (; i + kLanes <= count; i += kLanes) {
    Load(reference + i, r);
    Load(result + i, s);
    Load(fp64 + i, w);
    lanes.Add(r, s, w, absolutes, relatives);
  }
  LoadTail(reference + i, count - i, r);
  LoadTail(result + i, count - i, s);
  LoadTail(fp64 + i, count - i, w);
  lanes.Add(r, s, w, absolutes, relatives);

  BlockSums sums;
  for (int lane = 0; lane < kLanes; ++lane) {
    sums.reference += lanes.reference[lane];
    sums.result += lanes.result[lane];
    sums.between += lanes.between[lane];
    sums.size += lanes.size[lane];
    sums.max_abs = std::fmax(sums.max_abs, lanes.max_abs[lane]);
    sums.mismatching += lanes.mismatching[lane];
  }
  return sums;
}

#ifdef __x86_64__
// Without FMA, which would round differently.
template <typename T, typename Fp64>
__attribute__((target("avx2"))) BlockSums SumWithAvx2(const T* reference, const T* result, const Fp64* fp64,
                                                      int64_t count, double absolute, double relative) {
  return SumLanes(reference, result, fp64, count, absolute, relative);
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
#endif

}  // namespace

bool BlockSums::AreFinite() const {
  return std::isfinite(reference) && std::isfinite(result) && std::isfinite(between) && std::isfinite(size);
}

template <typename T, typename Fp64>
BlockSums SumBlock(const T* reference, const T* result, const Fp64* fp64, int64_t count, double absolute,
                   double relative) {
#ifdef __x86_64__
  if (kHasAvx2) return SumWithAvx2(reference, result, fp64, count, absolute, relative);
#endif
  return SumLanes(reference, result, fp64, count, absolute, relative);
}

template BlockSums SumBlock(const float*, const float*, const float*, int64_t, double, double);
template BlockSums SumBlock(const float*, const float*, const double*, int64_t, double, double);
template BlockSums SumBlock(const double*, const double*, const double*, int64_t, double, double);

}  // namespace culprit::compare
