// SPDX-License-Identifier: Apache-2.0
//
// How long the native compiler takes for one kernel, in time of the processor, whatever else it does. Times
// are medians.
//
//   NativeKernel/NAME   the kernel that a program becomes
//     cold_ms           LLVM makes code of it, which is kept on disk and loaded (the limit is 15)
//     disk_ms           another process has, and it is loaded (the limit is 0.5)
//     memory_ms         this process has loaded it (the limit is 0.5)
//     bytes             of the object file
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>

#include "backends/native/native.h"
#include "backends/table.h"
#include "base/internal_error.h"
#include "bench/fused_programs.h"
#include "bench/in_turn.h"
#include "compiler/jit/kernel_loader.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {
namespace {

using compiler::jit::CacheCounts;
using compiler::jit::CacheUse;
using compiler::jit::KernelLoader;
using compiler::loops::Kernel;

/// Of all threads: kernels are made by several, if there are several.
double ProcessorSeconds(const auto& work) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// The one kernel that the program becomes.
Kernel KernelOf(std::string_view program) {
  const at::NoGradGuard no_grad;
  std::vector<Kernel> kernels;
  compiler::pipeline::Pipeline pipeline = compiler::pipeline::DefaultPipeline();
  pipeline.push_back({"keep",
                      [&](const compiler::pipeline::Compilation& compilation, const auto& /*applies*/) {
                        for (const Kernel& kernel : compilation.schedule->kernels) kernels.push_back(kernel);
                      },
                      "for benchmarks"});
  const auto exchange = [&](const std::unique_ptr<backend::Backend>& /*native*/) {
    return backends::native::OpenPipeline(pipeline);
  };
  CapturedProgram captured = CapturedProgram::Unwatched(FindFusedProgram(program), "eager");
  captured.Call();
  (*backends::Open(*backend::ParseSpec("native:cache=off"), {.wrap = exchange}))
      ->Compile(captured.graph(), captured.graph_inputs());
  CULPRIT_CHECK(kernels.size() == 1, "{} is {} kernels", program, kernels.size());
  return kernels[0];
}

void NativeKernel(benchmark::State& state, std::string_view program) {
  const Kernel kernel = KernelOf(program);
  const tests::TemporaryFolder folder;
  const compiler::codegen::Options options;
  const compiler::jit::Generator generator{
      .generate = [](const Kernel& each, const auto& how) { return compiler::codegen::Generate(each, how); },
      .target_text = &compiler::codegen::TargetText};
  // What was loaded stays as long as somebody holds it.
  std::vector<std::shared_ptr<const compiler::jit::LoadedKernel>> loaded;
  const auto load = [&](KernelLoader& loader, CacheUse use) {
    CacheCounts counts;
    const double seconds = ProcessorSeconds([&] {
      loaded = loader.Load({&kernel, 1}, options, {.use = use, .folder = folder.path()}, &counts);
    });
    return std::pair(seconds, counts);
  };
  std::vector<double> cold, memory, disk;
  for (auto _ : state) {
    KernelLoader first(generator);
    const auto [cold_seconds, made] = load(first, CacheUse::kFresh);
    const auto [memory_seconds, kept] = load(first, CacheUse::kOn);
    KernelLoader second(generator);
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

const bool kHasRows = [] {
  for (const char* program : {"add_relu", "gelu_residual", "chain_of_30", "chain_with_functions", "ten_tanh",
                              "softmax", "layer_norm"})
    benchmark::RegisterBenchmark(fmt::format("NativeKernel/{}", program).c_str(),
                                 [program](benchmark::State& state) { NativeKernel(state, program); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(20);
  return true;
}();

}  // namespace
}  // namespace culprit::bench
