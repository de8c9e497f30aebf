// SPDX-License-Identifier: Apache-2.0
//
// The native compiler against eager, TorchScript and its optimize_for_inference, all in turn in each
// iteration, with the same threads, allocator and BLAS. Times are medians.
//
//   NativeProgram/NAME/THREADS   programs of a million elements without products of matrices
//     eager_us, torchscript_us, ofi_us
//     over_eager                 how many times as fast as eager (the limit is 2.5 for pointwise programs,
//                                softmax and layer norm)
//   NativeModel/NAME/THREADS     the same for models (the limit is 0.95, the aim a geometric mean of 1.1)
//     eager_mb, native_mb        what tensors of a call take at its peak (the limit is eager's)
//   NativeBandwidth/THREADS      add_relu: two reads and one write of each element, in bytes per second, as
//     of_memcpy                  a part of memcpy's (the limit is 0.8)
//   NativeCompilation/NAME       ms: the graph alone, without capture; cold, and with a cache on disk that
//                                another process might have filled
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>

#include "backends/table.h"
#include "bench/fused_programs.h"
#include "bench/in_turn.h"
#include "bench/loaded_call.h"
#include "bench/tensor_memory.h"
#include "process/parallel.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {
namespace {

constexpr double kMicroseconds = 1e6;
constexpr int kWarmUp = 3;
constexpr const char* kSides[] = {"eager", "torchscript", "torchscript:stage=ofi", "native"};
constexpr const char* kCounters[] = {"eager_us", "torchscript_us", "ofi_us", "native_us"};

class ThreadScope {
 public:
  explicit ThreadScope(int threads) : former_(at::get_num_threads()) { at::set_num_threads(threads); }
  ~ThreadScope() { at::set_num_threads(former_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int former_;
};

/// Programs take their parameters as they want them, so each side captures for itself.
std::vector<CapturedProgram> AllSides(const ProgramCall& call) {
  std::vector<CapturedProgram> sides;
  for (const char* side : kSides) {
    sides.push_back(CapturedProgram::Unwatched(call, side));
    for (int i = 0; i < kWarmUp; ++i) sides.back().Call();
  }
  return sides;
}

void CompareSides(benchmark::State& state, const ProgramCall& call, int threads) {
  const at::NoGradGuard no_grad;
  const ThreadScope scope(threads);
  std::vector<CapturedProgram> sides = AllSides(call);
  std::vector<std::vector<double>> seconds(sides.size());
  for (auto _ : state) {
    for (size_t i = 0; i < sides.size(); ++i) seconds[i].push_back(Seconds([&] { sides[i].Call(); }));
    state.SetIterationTime(seconds.back().back());
  }
  for (size_t i = 0; i < sides.size(); ++i) state.counters[kCounters[i]] = Median(seconds[i]) * kMicroseconds;
  state.counters["over_eager"] = Median(seconds.front()) / Median(seconds.back());
}

void NativeProgram(benchmark::State& state, std::string_view name, int threads) {
  CompareSides(state, FindFusedProgram(name), threads);
}

ProgramCall FindModel(const std::string& name) {
  static auto& loaded = *new std::map<std::string, LoadedCall>;
  const auto known = loaded.find(name);
  const LoadedCall& call =
      known != loaded.end() ? known->second : loaded.emplace(name, LoadTorchvision(name)).first->second;
  return {LoadedCall::EntryOf(call.module).function, call.ArgumentsFor(call.module)};
}

void NativeModel(benchmark::State& state, const std::string& name, int threads) {
  const ProgramCall call = FindModel(name);
  CompareSides(state, call, threads);
  const at::NoGradGuard no_grad;
  CapturedProgram eager = CapturedProgram::Unwatched(call, "eager");
  CapturedProgram native = CapturedProgram::Unwatched(call, "native");
  eager.Call();
  native.Call();
  state.counters["eager_mb"] = PeakTensorMegabytes([&] { eager.Call(); });
  state.counters["native_mb"] = PeakTensorMegabytes([&] { native.Call(); });
}

void NativeBandwidth(benchmark::State& state, int threads) {
  const at::NoGradGuard no_grad;
  const ThreadScope scope(threads);
  const ProgramCall call = FindFusedProgram("add_relu");
  CapturedProgram native = CapturedProgram::Unwatched(call, "native");
  native.Call();
  const at::Tensor source = call.arguments[0].toTensor();
  at::Tensor target = at::empty_like(source);
  const auto bytes = static_cast<int64_t>(source.nbytes());
  const auto copy = [&] {
    process::ParallelFor(0, bytes, bytes / threads, [&](int64_t begin, int64_t end) {
      std::memcpy(static_cast<char*>(target.data_ptr()) + begin,
                  static_cast<const char*>(source.data_ptr()) + begin, static_cast<size_t>(end - begin));
    });
  };
  const MedianSeconds median = MeasureInTurn(
      state, [&] { native.Call(); }, copy);
  state.counters["of_memcpy"] = (3.0 / median.ours) / (2.0 / median.theirs);
}

void NativeCompilation(benchmark::State& state, const std::string& name) {
  const at::NoGradGuard no_grad;
  const ProgramCall call = FindModel(name);
  CapturedProgram captured = CapturedProgram::Unwatched(call, "eager");
  captured.Call();
  const tests::TemporaryFolder folder;
  const auto compile = [&](const std::string& use) {
    const auto backend = *backends::Open(
        *backend::ParseSpec(fmt::format("native:cache={},cache_folder={}", use, folder.path())));
    return backend->Compile(captured.graph(), captured.graph_inputs());
  };
  std::vector<double> cold;
  std::vector<double> warm;
  for (auto _ : state) {
    cold.push_back(Seconds([&] { compile("fresh"); }));
    warm.push_back(Seconds([&] { compile("on"); }));
    state.SetIterationTime(cold.back());
  }
  state.counters["cold_ms"] = Median(cold) * 1e3;
  state.counters["warm_ms"] = Median(warm) * 1e3;
}

void Register(const std::string& row, int iterations, const auto& function, const auto&... arguments) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) { function(state, arguments...); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(iterations);
}

const bool kHasRows = [] {
  for (const int threads : {1, 2}) {
    for (const std::string_view name : FusedPrograms())
      Register(fmt::format("NativeProgram/{}/{}", name, threads), 200, NativeProgram, name, threads);
    Register(fmt::format("NativeBandwidth/{}", threads), 500, NativeBandwidth, threads);
    for (const std::string name : {"resnet18", "mobilenet_v3_small", "densenet121", "efficientnet_b0",
                                   "vit_b_32", "swin_t", "convnext_tiny", "squeezenet1_1"})
      Register(fmt::format("NativeModel/{}/{}", name, threads), 12, NativeModel, name, threads);
  }
  for (const std::string name : {"resnet18", "efficientnet_b0", "swin_t"})
    Register(fmt::format("NativeCompilation/{}", name), 5, NativeCompilation, name);
  return true;
}();

}  // namespace
}  // namespace culprit::bench
