// SPDX-License-Identifier: Apache-2.0
//
// The native compiler against eager, TorchScript and its optimize_for_inference, all in turn in each
// iteration, with the same threads, allocator and BLAS. In its turn a side is called twice, and the second
// call counts. Times are medians, and so are ratios, of those in each iteration.
//
//   NativeProgram/NAME/THREADS   programs of a million elements without products of matrices
//     eager_us, torchscript_us, ofi_us
//     over_eager                 how many times as fast as eager (the limit is 2.5 for pointwise programs,
//                                softmax and layer norm)
//     narrow_us, narrow_over_eager  with registers of 256 bits, as most processors have them
//     of_memcpy                  bytes of its tensors per second, read or written once each, as a part of
//                                memcpy's (the limit is 0.8 for add_relu). A program near 1 waits for memory
//                                alone, and how many times as fast as eager it is depends on how often eager
//                                moves what it moves once
//   NativeModel/NAME/THREADS     the same for models (the limit is 0.95)
//     frozen_us, frozen_over_eager  with frozen parameters
//     eager_mb, native_mb        what tensors of a call take at its peak (the limit is eager's)
//   NativeModels/THREADS         of all models that were measured (the aim is 1.1)
//     geomean, frozen_geomean    of over_eager and frozen_over_eager
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "bench/fused_programs.h"
#include "bench/in_turn.h"
#include "bench/watched_program.h"
#include "process/parallel.h"
#include "tests/lib/tensor_memory.h"

namespace culprit::bench {
namespace {

constexpr double kMicroseconds = 1e6;
constexpr int kWarmUp = 3;

struct Side {
  const char* backend;
  std::string_view counter;
};
/// Eager is the first, and what it is about the last.
constexpr Side kProgramSides[] = {{"eager", "eager_us"},
                                  {"torchscript", "torchscript_us"},
                                  {"torchscript:stage=ofi", "ofi_us"},
                                  {"native:registers=256", "narrow_us"},
                                  {"native", "native_us"}};
constexpr Side kModelSides[] = {{"eager", "eager_us"},
                                {"torchscript", "torchscript_us"},
                                {"torchscript:stage=ofi", "ofi_us"},
                                {"native:parameters=frozen", "frozen_us"},
                                {"native", "native_us"}};

class ThreadScope {
 public:
  explicit ThreadScope(int threads) : former_(at::get_num_threads()) { at::set_num_threads(threads); }
  ~ThreadScope() { at::set_num_threads(former_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int former_;
};

/// Of the second of two calls in a row. What the first one finds, in caches and in memory that malloc has
/// kept, another side has left; which of them is lucky differs from run to run.
double SecondsOfSecond(const auto& call) {
  call();
  return Seconds(call);
}

/// What the sides took, each in turn, so that a busy machine slows all.
class InTurn {
 public:
  /// Programs take their parameters as they want them, so each side captures for itself.
  InTurn(std::span<const Side> how, const ProgramCall& call) : how_(how), seconds_(how.size()) {
    for (const Side& side : how) {
      sides_.push_back(CapturedProgram::Unwatched(call, side.backend));
      for (int i = 0; i < kWarmUp; ++i) sides_.back().Call();
    }
  }

  void Measure() {
    for (size_t i = 0; i < sides_.size(); ++i)
      seconds_[i].push_back(SecondsOfSecond([&] { sides_[i].Call(); }));
  }

  double last() const { return seconds_.back().back(); }
  const std::vector<double>& of_native() const { return seconds_.back(); }

  /// How many times as fast as eager the side is that this counter is of.
  double OverEager(std::string_view counter) const {
    const auto side = std::ranges::find(how_, counter, &Side::counter);
    return MedianRatio(seconds_.front(), seconds_[static_cast<size_t>(side - how_.begin())]);
  }

  void Report(benchmark::State& state) const {
    for (size_t i = 0; i < seconds_.size(); ++i)
      state.counters[std::string(how_[i].counter)] = Median(seconds_[i]) * kMicroseconds;
    state.counters["over_eager"] = OverEager("native_us");
  }

 private:
  std::span<const Side> how_;
  std::vector<CapturedProgram> sides_;
  std::vector<std::vector<double>> seconds_;
};

/// Copies memory as large as its elements, on all threads.
class Memcpy {
 public:
  explicit Memcpy(const at::Tensor& source) : source_(source), target_(at::empty_like(source)) {}

  int64_t bytes() const { return static_cast<int64_t>(source_.nbytes()); }

  void operator()() const {
    process::ParallelFor(0, bytes(), bytes() / at::get_num_threads(), [&](int64_t begin, int64_t end) {
      std::memcpy(static_cast<char*>(target_.data_ptr()) + begin,
                  static_cast<const char*>(source_.data_ptr()) + begin, static_cast<size_t>(end - begin));
    });
  }

 private:
  at::Tensor source_;
  at::Tensor target_;
};

void NativeProgram(benchmark::State& state, const FusedProgram& program, int threads) {
  const at::NoGradGuard no_grad;
  const ThreadScope scope(threads);
  const ProgramCall call = FindFusedProgram(program.name);
  InTurn sides(kProgramSides, call);
  const Memcpy copy(at::ones({1 << 20}));
  std::vector<double> copied;
  for (auto _ : state) {
    sides.Measure();
    copied.push_back(SecondsOfSecond(copy));
    state.SetIterationTime(sides.last());
  }
  sides.Report(state);
  state.counters["narrow_over_eager"] = sides.OverEager("narrow_us");
  // A copy reads a tensor and writes one.
  state.counters["of_memcpy"] = program.moves / 2.0 * MedianRatio(copied, sides.of_native());
}

/// How many times as fast as eager the models were that were measured so far.
struct Ratios {
  std::vector<double> lifted;
  std::vector<double> frozen;
};

Ratios& RatiosFor(int threads) {
  static auto& ratios = *new std::map<int, Ratios>;
  return ratios[threads];
}

double GeometricMean(const std::vector<double>& numbers) {
  double logarithms = 0;
  for (const double number : numbers) logarithms += std::log(number);
  return std::exp(logarithms / static_cast<double>(numbers.size()));
}

void NativeModels(benchmark::State& state, int threads) {
  for (auto _ : state) state.SetIterationTime(0);
  const Ratios& ratios = RatiosFor(threads);
  if (ratios.lifted.empty()) return state.SkipWithError("no model was measured");
  state.counters["models"] = static_cast<double>(ratios.lifted.size());
  state.counters["geomean"] = GeometricMean(ratios.lifted);
  state.counters["frozen_geomean"] = GeometricMean(ratios.frozen);
}

void NativeModel(benchmark::State& state, const std::string& name, int threads) {
  const at::NoGradGuard no_grad;
  const ThreadScope scope(threads);
  const ProgramCall call = FindProgram(name);
  InTurn sides(kModelSides, call);
  for (auto _ : state) {
    sides.Measure();
    state.SetIterationTime(sides.last());
  }
  sides.Report(state);
  RatiosFor(threads).lifted.push_back(sides.OverEager("native_us"));
  RatiosFor(threads).frozen.push_back(sides.OverEager("frozen_us"));
  state.counters["frozen_over_eager"] = sides.OverEager("frozen_us");
  CapturedProgram eager = CapturedProgram::Unwatched(call, "eager");
  CapturedProgram native = CapturedProgram::Unwatched(call, "native");
  eager.Call();
  native.Call();
  constexpr double kMegabyte = 1 << 20;
  state.counters["eager_mb"] = double(tests::PeakTensorBytes([&] { eager.Call(); })) / kMegabyte;
  state.counters["native_mb"] = double(tests::PeakTensorBytes([&] { native.Call(); })) / kMegabyte;
}

void Register(const std::string& row, int iterations, const auto& function, const auto&... arguments) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) { function(state, arguments...); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(iterations);
}

const bool kHasRows = [] {
  for (const int threads : {1, 2}) {
    for (const FusedProgram& program : FusedPrograms())
      Register(fmt::format("NativeProgram/{}/{}", program.name, threads), 200, NativeProgram, program,
               threads);
    for (const std::string name : {"resnet18", "mobilenet_v3_small", "densenet121", "efficientnet_b0",
                                   "vit_b_32", "swin_t", "convnext_tiny", "squeezenet1_1"})
      Register(fmt::format("NativeModel/{}/{}", name, threads), 20, NativeModel, name, threads);
    Register(fmt::format("NativeModels/{}", threads), 1, NativeModels, threads);
  }
  return true;
}();

}  // namespace
}  // namespace culprit::bench
