// SPDX-License-Identifier: Apache-2.0
//
// Capturing programs. On resnet18:
//
//   CaptureAgainstFreeze           ratio      to torch::jit::freeze, both on a new copy of the module (the
//                                             limit is 0.2). Reading the program's code counts, running the
//                                             graph does not. The first capture of a process takes some 7 ms
//                                             more, for registering what computes on fakes: a median hides it
//   CapturedCallAgainstInterpreter ratio      of a call, guards and all, to libtorch's interpreter on the
//                                             same code (the limit is 1.05)
//   Guards                         guard_us   checking all of them (the aim is 10)
//
// CapturedModel is a table: graphs, breaks and operators of each model as `culprit explain` counts them,
// milliseconds of its capture, microseconds of all guards that one call checks.
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>
#include <c10/util/Exception.h>

#include "bench/in_turn.h"
#include "bench/loaded_call.h"
#include "tests/capture/hazard.h"
#include "tests/models/model_archives.h"

namespace culprit::bench {
namespace {

/// Some models warn in every call.
class Silence : public c10::WarningHandler {
 public:
  void process(const c10::Warning& /*warning*/) override {}

 private:
  c10::WarningUtils::WarningHandlerGuard guard_{this};
};

struct Captured {
  double seconds = 0;
  double guard_seconds = 0;
  size_t graphs = 0;
  size_t breaks = 0;
  size_t operators = 0;
};

/// By a first call of a new program, which has no code of it yet.
Captured CaptureOnce(const LoadedCall& call, const torch::jit::Module& module) {
  const std::vector<c10::IValue> arguments = call.ArgumentsFor(module);
  std::optional<capture::CapturedProgram> program;
  Captured captured;
  captured.seconds = Seconds([&] { program.emplace(*LoadedCall::EntryOf(module).function, EagerOptions()); });
  program->Call(arguments);
  for (const auto& segment : program->segments()) {
    ++captured.graphs;
    captured.seconds += segment->capture_seconds;
    captured.guard_seconds += segment->guard_seconds;
    captured.breaks += segment->end ? 1 : 0;
    captured.operators += segment->graph.nodes().size();
  }
  return captured;
}

void CaptureAgainstFreeze(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const LoadedCall call = LoadArchive("resnet18");
  std::vector<double> ours;
  std::vector<double> theirs;
  for (auto _ : state) {
    const torch::jit::Module to_freeze = call.module.clone();
    const torch::jit::Module to_capture = call.module.clone();
    theirs.push_back(Seconds([&] { benchmark::DoNotOptimize(torch::jit::freeze(to_freeze)); }));
    ours.push_back(CaptureOnce(call, to_capture).seconds);
    state.SetIterationTime(ours.back());
  }
  state.counters["freeze_ms"] = Median(theirs) * 1e3;
  state.counters["ratio"] = Median(ours) / Median(theirs);
}

void CapturedCallAgainstInterpreter(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const LoadedCall call = LoadArchive("resnet18");
  const model::Entry entry = LoadedCall::EntryOf(call.module);
  const std::vector<c10::IValue> arguments = call.ArgumentsFor(call.module);
  capture::CapturedProgram program(*entry.function, EagerOptions());
  const tests::Callable interpreter = tests::PlainInterpreter(entry);
  const MedianSeconds median = MeasureInTurn(
      state, [&] { benchmark::DoNotOptimize(program.Call(arguments)); },
      [&] { benchmark::DoNotOptimize(interpreter(arguments)); });
  state.counters["interpreter_ms"] = median.theirs * 1e3;
  state.counters["ratio"] = median.ours / median.theirs;
}

void Guards(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const LoadedCall call = LoadArchive("resnet18");
  const std::vector<c10::IValue> arguments = call.ArgumentsFor(call.module);
  const model::Entry entry = LoadedCall::EntryOf(call.module);
  capture::CapturedProgram program(*entry.function, EagerOptions());
  program.Call(arguments);
  const auto segment = program.segments().at(0);
  capture::vm::CodeBook book;
  const auto beginning = capture::vm::State::AtEntry(book.Of(*entry.function), arguments);
  std::vector<const c10::IValue*> found;
  std::vector<double> seconds;
  for (auto _ : state) {
    seconds.push_back(Seconds([&] { benchmark::DoNotOptimize(capture::Fits(*segment, beginning, found)); }));
    state.SetIterationTime(seconds.back());
  }
  state.counters["guards"] = segment->guards.size();
  state.counters["guard_us"] = Median(seconds) * 1e6;
}

void CapturedModel(benchmark::State& state, const char* name) {
  const at::NoGradGuard no_grad;
  const Silence silence;
  const LoadedCall call = LoadArchive(name);
  std::vector<double> seconds;
  std::vector<double> guard_seconds;
  Captured captured;
  for (auto _ : state) {
    captured = CaptureOnce(call, call.module);
    seconds.push_back(captured.seconds);
    guard_seconds.push_back(captured.guard_seconds);
    state.SetIterationTime(captured.seconds);
  }
  state.counters["graphs"] = captured.graphs;
  state.counters["breaks"] = captured.breaks;
  state.counters["operators"] = captured.operators;
  state.counters["capture_ms"] = Median(seconds) * 1e3;
  state.counters["guard_us"] = Median(guard_seconds) * 1e6;
}

BENCHMARK(CaptureAgainstFreeze)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(30);
BENCHMARK(CapturedCallAgainstInterpreter)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(60);
BENCHMARK(Guards)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// Registers one row per model.
const bool kHasRows = [] {
  for (const char* name : tests::kModelSample) {
    benchmark::RegisterBenchmark((std::string("CapturedModel/") + name).c_str(), CapturedModel, name)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(15);
  }
  return true;
}();

}  // namespace
}  // namespace culprit::bench
