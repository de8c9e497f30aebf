// SPDX-License-Identifier: Apache-2.0
//
// What it costs to watch a program in which nothing fails, without gradients except where it is trained:
// resnet18 (batch 1, 224 x 224), and 20 operators on 4 elements. All that is compared takes turns, call by
// call; counters hold medians.
//
//   WatchedCall/PROGRAM/BACKEND/POINT/LEVEL
//     unwatched_us   a call of the same program without anything of the watcher
//     over_us        what a watched call takes more (limits: level 0 nothing, 1 and 2: 5, and the copies of
//                    inputs that are written). On resnet18 that is less than the noise
//   WatcherAlone/PROGRAM/LEVEL
//     own_us         a watched call of a compiler whose graph does nothing, over a plain call of it
//     inputs         how many there are to be kept
//   RecordedCall/PROGRAM   level 3
//     same_us        over an unwatched call, when the inputs are those of an earlier one
//     new_us         when their numbers are new
//     mb_1, mb_50    on disk after 1 and after 50 calls with the same inputs (to be equal)
//   CheckedCall/PROGRAM/BACKEND   level 4
//     limit_us       graph, graph in float64, and unwatched call, together
//     ratio          of a checked call to that (limit 1.05)
//   TrainedStep/PROGRAM/BACKEND/POINT   level 4
//     unwatched_us   a forward and a backward pass
//     ratio          of a checked one to that. Graphs of autograd run beside what was compiled; captured
//                    ones run once more with what was compiled, forward and backward, on clones
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <filesystem>

#include "bench/in_turn.h"
#include "bench/watched_program.h"
#include "check/model/clone_inputs.h"
#include "check/run/graph_model.h"
#include "graph/run/interpreter.h"
#include "tests/lib/temporary_folder.h"
#include "watch/watched_backend.h"

namespace culprit::bench {
namespace {

constexpr double kMicroseconds = 1e6;

base::Settings SettingsFor(const std::string& point, int level, const std::string& directory) {
  base::Settings settings;
  settings.repro_after = point;
  settings.repro_level = level;
  settings.directory = directory;
  return settings;
}

void WatchedCall(benchmark::State& state, const std::string& name, const std::string& backend,
                 const std::string& point, int level) {
  const at::NoGradGuard no_grad;
  const tests::TemporaryFolder folder;
  const ProgramCall call = FindProgram(name);
  CapturedProgram unwatched = CapturedProgram::Unwatched(call, backend);
  CapturedProgram watched = CapturedProgram::Watched(call, backend, SettingsFor(point, level, folder.path()));
  unwatched.Call();
  watched.Call();
  const MedianSeconds median = MeasureInTurn(
      state, [&] { watched.Call(); }, [&] { unwatched.Call(); });
  state.counters["unwatched_us"] = median.theirs * kMicroseconds;
  state.counters["over_us"] = (median.ours - median.theirs) * kMicroseconds;
}

class Nothing : public backend::Compiled {
 public:
  backend::Values Call(backend::Values& inputs) override {
    inputs.clear();
    return {};
  }
};

class NothingBackend : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph /*graph*/,
                                             const backend::Values& /*inputs*/) override {
    return std::make_unique<Nothing>();
  }
};

void WatcherAlone(benchmark::State& state, const std::string& name, int level) {
  const at::NoGradGuard no_grad;
  const tests::TemporaryFolder folder;
  CapturedProgram program = CapturedProgram::Unwatched(FindProgram(name), "eager");
  program.Call();
  const auto session = std::make_shared<watch::WatchSession>(SettingsFor("aot", level, folder.path()),
                                                             repro::Header{}, nullptr);
  const std::unique_ptr<backend::Compiled> watched =
      Watch(std::make_unique<NothingBackend>(), watch::Point::kAot, session)
          ->Compile(program.graph(), program.graph_inputs());
  Nothing plain;
  const auto call = [&](backend::Compiled& compiled) {
    backend::Values inputs = program.graph_inputs();
    compiled.Call(inputs);
  };
  const MedianSeconds median = MeasureInTurn(
      state, [&] { call(*watched); }, [&] { call(plain); });
  state.counters["inputs"] = static_cast<double>(program.graph_inputs().size());
  state.counters["own_us"] = (median.ours - median.theirs) * kMicroseconds;
}

double MegabytesIn(const std::string& folder) {
  double bytes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    bytes += file.is_regular_file() && !file.is_symlink() ? static_cast<double>(file.file_size()) : 0;
  return bytes / 1e6;
}

void RecordedCall(benchmark::State& state, const std::string& name) {
  constexpr int kSameCalls = 50;
  const at::NoGradGuard no_grad;
  const tests::TemporaryFolder folder;
  const ProgramCall call = FindProgram(name);
  CapturedProgram unwatched = CapturedProgram::Unwatched(call, "eager");
  CapturedProgram recorded = CapturedProgram::Watched(call, "eager", SettingsFor("aot", 3, folder.path()));
  unwatched.Call();
  recorded.Call();
  state.counters["mb_1"] = MegabytesIn(folder.path());
  const MedianSeconds same = [&] {
    std::vector<double> ours;
    std::vector<double> theirs;
    for (int i = 1; i < kSameCalls; ++i) {
      theirs.push_back(Seconds([&] { unwatched.Call(); }));
      ours.push_back(Seconds([&] { recorded.Call(); }));
    }
    return MedianSeconds{Median(ours), Median(theirs)};
  }();
  state.counters["mb_50"] = MegabytesIn(folder.path());
  state.counters["same_us"] = (same.ours - same.theirs) * kMicroseconds;
  const at::Tensor input = call.arguments.back().toTensor();
  const MedianSeconds anew = MeasureInTurn(
      state,
      [&] {
        input.add_(0.001);
        recorded.Call();
      },
      [&] { unwatched.Call(); });
  state.counters["new_us"] = (anew.ours - anew.theirs) * kMicroseconds;
}

void CheckedCall(benchmark::State& state, const std::string& name, const std::string& backend) {
  const at::NoGradGuard no_grad;
  const tests::TemporaryFolder folder;
  const ProgramCall call = FindProgram(name);
  CapturedProgram unwatched = CapturedProgram::Unwatched(call, backend);
  CapturedProgram checked = CapturedProgram::Watched(call, backend, SettingsFor("aot", 4, folder.path()));
  unwatched.Call();
  checked.Call();
  const graph::Interpreter eager(unwatched.graph());
  const backend::Values& inputs = unwatched.graph_inputs();
  const auto fp64 = check::CloneInputsInFp64(inputs);
  const auto in_fp64 = check::GraphModel(unwatched.graph()).InFp64(inputs, {.grad = false});
  const MedianSeconds median = MeasureInTurn(
      state, [&] { checked.Call(); },
      [&] {
        benchmark::DoNotOptimize(eager.Run(inputs));
        backend::Values given = *fp64;
        benchmark::DoNotOptimize((*in_fp64)->Call(given));
        unwatched.Call();
      });
  state.counters["limit_us"] = median.theirs * kMicroseconds;
  state.counters["ratio"] = median.ours / median.theirs;
}

void TrainedStep(benchmark::State& state, const std::string& name, const std::string& backend,
                 const std::string& point) {
  const tests::TemporaryFolder folder;
  ProgramCall call = FindProgram(name);
  c10::IValue& input = call.arguments.back();
  input = input.toTensor().clone().set_requires_grad(true);
  CapturedProgram unwatched = CapturedProgram::Unwatched(call, backend);
  CapturedProgram checked = CapturedProgram::Watched(call, backend, SettingsFor(point, 4, folder.path()));
  const auto train = [](CapturedProgram& program) { program.Call().toTensor().sum().backward(); };
  train(unwatched);
  train(checked);
  const MedianSeconds median = MeasureInTurn(
      state, [&] { train(checked); }, [&] { train(unwatched); });
  state.counters["unwatched_us"] = median.theirs * kMicroseconds;
  state.counters["ratio"] = median.ours / median.theirs;
}

/// `arguments` are those of the function; resnet18 takes a thousand times as long as the others.
void Register(const std::string& row, const std::string& program, const auto& function,
              const auto&... arguments) {
  benchmark::RegisterBenchmark(row.c_str(),
                               [=](benchmark::State& state) { function(state, program, arguments...); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(program == "resnet18" ? 25 : 20000);
}

const bool kHasRows = [] {
  for (const std::string program : {"tiny", "tiny_writing", "resnet18"}) {
    for (const std::string backend : {"eager", "aot-eager"}) {
      for (const std::string point : {"aot", "capture"}) {
        for (const int level : {0, 1, 2}) {
          Register(fmt::format("WatchedCall/{}/{}/{}/{}", program, backend, point, level), program,
                   WatchedCall, backend, point, level);
        }
      }
    }
  }
  for (const std::string program : {"tiny", "tiny_writing", "resnet18"}) {
    for (const int level : {1, 2})
      Register(fmt::format("WatcherAlone/{}/{}", program, level), program, WatcherAlone, level);
  }
  for (const std::string program : {"tiny", "resnet18"})
    Register(fmt::format("RecordedCall/{}", program), program, RecordedCall);
  for (const std::string program : {"tiny", "tiny_writing", "resnet18"}) {
    for (const std::string backend : {"eager", "aot-eager"})
      Register(fmt::format("CheckedCall/{}/{}", program, backend), program, CheckedCall, backend);
  }
  for (const std::string backend : {"eager", "aot-eager"}) {
    for (const std::string point : {"aot", "capture"}) {
      for (const std::string program : {"tiny", "resnet18"})
        Register(fmt::format("TrainedStep/{}/{}/{}", program, backend, point), program, TrainedStep, backend,
                 point);
    }
  }
  return true;
}();

}  // namespace
}  // namespace culprit::bench
