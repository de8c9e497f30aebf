// SPDX-License-Identifier: Apache-2.0
//
// How long the native compiler takes. Times are medians.
//
//   NativeKernel/NAME        the kernel that a program becomes, in time of the processor
//     cold_ms                LLVM makes code of it, which is kept on disk and loaded (the limit is 15)
//     disk_ms                another process has, and it is loaded (the limit is 0.5)
//     memory_ms              this process has loaded it (the limit is 0.5)
//     bytes                  of the object file
//   NativeCompilation/NAME   the graph of a model, without capture
//     cold_ms                nothing is kept anywhere
//     warm_ms                another process has filled the disk
//     kernels, slowest_ms    how many code was made for, and the longest that LLVM took for one of them, in
//                            time of the processor (the limit is 15)
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <mutex>
#include <utility>

#include "backends/native/native.h"
#include "backends/table.h"
#include "base/internal_error.h"
#include "bench/fused_programs.h"
#include "bench/in_turn.h"
#include "bench/watched_program.h"
#include "compiler/jit/kernel_loader.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {
namespace {

using compiler::jit::CacheCounts;
using compiler::jit::CacheUse;
using compiler::jit::KernelLoader;
using compiler::loops::Kernel;
using compiler::pipeline::Compilation;
using compiler::pipeline::Pipeline;

double ProcessorSeconds(clockid_t clock, const auto& work) {
  const auto now = [&] {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// LLVM, and the longest that it took for a kernel.
class TimedGenerator {
 public:
  compiler::jit::Generator generator() {
    return {.generate = [this](const Kernel& kernel, const auto& how) { return Generate(kernel, how); },
            .target_text = &compiler::codegen::TargetText};
  }
  /// Since it was asked last.
  double TakeSlowest() { return std::exchange(slowest_, 0); }

 private:
  std::string Generate(const Kernel& kernel, const compiler::codegen::Options& how) {
    std::string object;
    const double seconds =
        ProcessorSeconds(CLOCK_THREAD_CPUTIME_ID, [&] { object = compiler::codegen::Generate(kernel, how); });
    const std::lock_guard lock(mutex_);
    slowest_ = std::max(slowest_, seconds);
    return object;
  }

  std::mutex mutex_;
  double slowest_ = 0;
};

/// What native's passes do with the graph of a program, in a compiler of these options.
void CompileWith(const Pipeline& pipeline, const compiler::pipeline::Options& options,
                 const CapturedProgram& captured) {
  const auto exchange = [&](const std::unique_ptr<backend::Backend>& /*native*/) {
    return backends::native::OpenPipeline(pipeline, options);
  };
  (*backends::Open(*backend::ParseSpec("native"), {.wrap = exchange}))
      ->Compile(captured.graph(), captured.graph_inputs());
}

CapturedProgram Captured(const ProgramCall& call) {
  CapturedProgram captured = CapturedProgram::Unwatched(call, "eager");
  captured.Call();
  return captured;
}

/// The one kernel that the program becomes.
Kernel KernelOf(std::string_view program) {
  const at::NoGradGuard no_grad;
  std::vector<Kernel> kernels;
  Pipeline pipeline = compiler::pipeline::DefaultPipeline();
  pipeline.back().run = [&](Compilation& compilation, const auto& /*applies*/) {
    kernels = compilation.schedule->kernels;
    compilation.code.resize(kernels.size());
  };
  CompileWith(pipeline, {}, Captured(FindFusedProgram(program)));
  CULPRIT_CHECK(kernels.size() == 1, "{} is {} kernels", program, kernels.size());
  return kernels[0];
}

void NativeKernel(benchmark::State& state, std::string_view program) {
  const Kernel kernel = KernelOf(program);
  const tests::TemporaryFolder folder;
  const compiler::codegen::Options options;
  TimedGenerator timed;
  // What was loaded stays as long as somebody holds it.
  std::vector<std::shared_ptr<const compiler::jit::LoadedKernel>> loaded;
  const auto load = [&](KernelLoader& loader, CacheUse use) {
    CacheCounts counts;
    // Of all threads: kernels are made by several, if there are several.
    const double seconds = ProcessorSeconds(CLOCK_PROCESS_CPUTIME_ID, [&] {
      loaded = loader.Load({&kernel, 1}, options, {.use = use, .folder = folder.path()}, &counts);
    });
    return std::pair(seconds, counts);
  };
  std::vector<double> cold, memory, disk;
  for (auto _ : state) {
    KernelLoader first(timed.generator());
    const auto [cold_seconds, made] = load(first, CacheUse::kFresh);
    const auto [memory_seconds, kept] = load(first, CacheUse::kOn);
    KernelLoader second(timed.generator());
    const auto [disk_seconds, found] = load(second, CacheUse::kOn);
    CULPRIT_CHECK(made.generated == 1 && kept.from_memory == 1 && found.from_disk == 1,
                  "{} came from another place", program);
    cold.push_back(cold_seconds);
    memory.push_back(memory_seconds);
    disk.push_back(disk_seconds);
    state.SetIterationTime(cold_seconds);
  }
  state.counters["cold_ms"] = Median(cold) * 1e3;
  state.counters["memory_ms"] = Median(memory) * 1e3;
  state.counters["disk_ms"] = Median(disk) * 1e3;
  state.counters["bytes"] = static_cast<double>(compiler::codegen::Generate(kernel, options).size());
}

void NativeCompilation(benchmark::State& state, const std::string& name) {
  const at::NoGradGuard no_grad;
  const CapturedProgram captured = Captured(FindProgram(name));
  const tests::TemporaryFolder folder;
  TimedGenerator timed;
  const auto compile = [&](CacheUse use) {
    // One that remembers nothing, as that of another process.
    KernelLoader loader(timed.generator());
    CacheCounts counts;
    Pipeline pipeline = compiler::pipeline::DefaultPipeline();
    pipeline.back().run = [&](Compilation& compilation, const auto& /*applies*/) {
      compilation.code = loader.Load(compilation.schedule->kernels, compilation.options.code,
                                     compilation.options.cache, &counts);
    };
    const compiler::pipeline::Options options{.cache = {.use = use, .folder = folder.path()}};
    const double seconds = Seconds([&] { CompileWith(pipeline, options, captured); });
    return std::pair(seconds, counts);
  };
  std::vector<double> cold, warm, slowest;
  for (auto _ : state) {
    const auto [cold_seconds, made] = compile(CacheUse::kFresh);
    slowest.push_back(timed.TakeSlowest());
    const auto [warm_seconds, found] = compile(CacheUse::kOn);
    CULPRIT_CHECK(made.generated > 0 && found.generated == 0 && found.from_disk == made.generated,
                  "kernels of {} came from another place", name);
    cold.push_back(cold_seconds);
    warm.push_back(warm_seconds);
    state.counters["kernels"] = static_cast<double>(made.generated);
    state.SetIterationTime(cold_seconds);
  }
  state.counters["cold_ms"] = Median(cold) * 1e3;
  state.counters["warm_ms"] = Median(warm) * 1e3;
  state.counters["slowest_ms"] = Median(slowest) * 1e3;
}

void Register(const std::string& row, int iterations, const auto& function, const std::string& argument) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) { function(state, argument); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(iterations);
}

const bool kHasRows = [] {
  for (const char* program :
       {"add_relu", "gelu_residual", "chain_of_30", "chain_with_functions", "ten_tanh", "softmax",
        "softmax_short", "layer_norm", "layer_norm_short", "embedding_layer_norm", "transpose_add"})
    Register(fmt::format("NativeKernel/{}", program), 20, NativeKernel, program);
  for (const char* model : {"resnet18", "mobilenet_v3_small", "efficientnet_b0", "swin_t"})
    Register(fmt::format("NativeCompilation/{}", model), 5, NativeCompilation, model);
  return true;
}();

}  // namespace
}  // namespace culprit::bench
