// SPDX-License-Identifier: Apache-2.0
//
// Two agreeing float32 tensors of 256 MB against an fp64 reference of 512 MB: one threaded pass of ours,
// plainly reading the same bytes with the same threads, and the sequence of ATen calls that PyTorch's `same`
// makes for them (allclose, then both RMSEs in float64). All three take turns. The counters hold medians:
//
//   read_ms    plainly reading, that is adding up 64-bit words
//   share      of its bandwidth that the comparison reaches (the limit is 0.7)
//   aten_ms    the calls of ATen
//   speedup    over them
//   extra_mb   what the comparison adds to the peak of the process's memory (the limit is 1 per thread)
#include <ATen/ops/allclose.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sqrt.h>
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstring>

#include "bench/in_turn.h"
#include "bench/peak_memory.h"
#include "compare/compare.h"
#include "process/parallel.h"

namespace culprit::bench {
namespace {

constexpr int64_t kElements = int64_t{64} << 20;

struct Tensors {
  at::Tensor reference;
  at::Tensor result;
  at::Tensor fp64;
};

Tensors MakeTensors() {
  const at::Tensor fp64 = at::randn({kElements}, at::kDouble);
  const at::Tensor reference = fp64.to(at::kFloat);
  return {reference, reference.mul(1 + 1e-6), fp64};
}

using Words = uint64_t __attribute__((vector_size(32)));

__attribute__((always_inline)) inline void AddWords(const char* bytes, Words& sum) {
  Words words;
  std::memcpy(&words, bytes, sizeof(words));
  sum += words;
}

/// The same elements of all three, as the comparison reads them: reading one tensor after the other is
/// slower.
__attribute__((always_inline)) inline uint64_t SumOfWords(const Tensors& tensors, int64_t begin,
                                                          int64_t end) {
  const char* reference = static_cast<const char*>(tensors.reference.data_ptr());
  const char* result = static_cast<const char*>(tensors.result.data_ptr());
  const char* fp64 = static_cast<const char*>(tensors.fp64.data_ptr());
  Words sums[4] = {};
  constexpr int64_t kStep = 8;
  for (int64_t i = begin; i < end; i += kStep) {
    AddWords(reference + 4 * i, sums[0]);
    AddWords(result + 4 * i, sums[1]);
    AddWords(fp64 + 8 * i, sums[2]);
    AddWords(fp64 + 8 * i + 32, sums[3]);
  }
  const Words sum = sums[0] + sums[1] + sums[2] + sums[3];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

#ifdef __x86_64__
__attribute__((target("avx2"))) uint64_t SumWithAvx2(const Tensors& tensors, int64_t begin, int64_t end) {
  return SumOfWords(tensors, begin, end);
}
#endif

uint64_t SumAsFastAsPossible(const Tensors& tensors, int64_t begin, int64_t end) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return SumWithAvx2(tensors, begin, end);
#endif
  return SumOfWords(tensors, begin, end);
}

uint64_t ReadAll(const Tensors& tensors) {
  std::atomic<uint64_t> sum = 0;
  process::ParallelFor(0, kElements, 1 << 16,
                       [&](int64_t begin, int64_t end) { sum += SumAsFastAsPossible(tensors, begin, end); });
  return sum;
}

double RmseInAten(const at::Tensor& a, const at::Tensor& b) {
  return a.sub(b).square().mean().sqrt().item<double>();
}

bool SameInAten(const Tensors& tensors) {
  const bool close = at::allclose(tensors.reference, tensors.result, 1e-4, 1e-4);
  const double reference_error = RmseInAten(tensors.fp64, tensors.reference);
  return close && RmseInAten(tensors.fp64, tensors.result) <= 2 * reference_error + 1e-5;
}

void CompareAgainstReading(benchmark::State& state) {
  const Tensors tensors = MakeTensors();
  const auto compare = [&] {
    return compare::Compare(tensors.reference, tensors.result, c10::IValue(tensors.fp64), {}).passes();
  };
  // Before anything else has left freed memory behind that could be used again unseen.
  const double extra = ExtraMegabytes(compare);
  if (!compare() || !SameInAten(tensors)) state.SkipWithError("the tensors do not agree");
  std::vector<double> aten_seconds;
  std::vector<double> read_seconds;
  std::vector<double> our_seconds;
  for (auto _ : state) {
    aten_seconds.push_back(Seconds([&] { benchmark::DoNotOptimize(SameInAten(tensors)); }));
    read_seconds.push_back(Seconds([&] { benchmark::DoNotOptimize(ReadAll(tensors)); }));
    our_seconds.push_back(Seconds([&] { benchmark::DoNotOptimize(compare()); }));
    state.SetIterationTime(our_seconds.back());
  }
  state.counters["read_ms"] = Median(read_seconds) * 1e3;
  state.counters["share"] = Median(read_seconds) / Median(our_seconds);
  state.counters["aten_ms"] = Median(aten_seconds) * 1e3;
  state.counters["speedup"] = Median(aten_seconds) / Median(our_seconds);
  state.counters["extra_mb"] = extra;
  state.SetBytesProcessed(state.iterations() * kElements * 16);
}
BENCHMARK(CompareAgainstReading)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);

}  // namespace
}  // namespace culprit::bench
