// SPDX-License-Identifier: Apache-2.0
//
// What it costs to ask a question in a process of its own, against what a user would otherwise do: start a
// program that loads libtorch. All take turns; the question is trivial. The counters hold medians:
//
//   start_ms       culprit --help, which is little more than loading libtorch
//   fresh_ms       a query in a child that is forked for it
//   fresh_ratio    how many times less than a start (the limit is 40)
//   warm_us        a query of a warm worker
//   warm_ratio     how many times less than a start (the limit is 1000)
//   crash_ms       a query that crashes, with its frames and symbols
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/internal_error.h"
#include "bench/early_zygote.h"
#include "bench/in_turn.h"
#include "check/query/query_task.h"
#include "check/query/warm_up.h"
#include "isolate/worker.h"

namespace culprit::bench {
namespace {

using isolate::Message;

constexpr isolate::Task kTasks[] = {
    {"echo", [](const Message& request) { return request; }},
    {"crash", [](const Message&) -> Message { abort(); }},
    check::kQueryTask,
};

void StartProgram() {
  std::string program = CULPRIT_PROGRAM;
  std::string argument = "--help";
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  CULPRIT_CHECK(posix_spawn(&pid, program.c_str(), &quiet, nullptr, arguments, environ) == 0,
                "cannot start {}", program);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  CULPRIT_CHECK(waitpid(pid, &status, 0) == pid && status == 0, "{} ended with {}", program, status);
}

void IsolatedQuery(benchmark::State& state) {
  const auto& zygote = EarlyZygote();
  isolate::Worker worker(zygote);
  CULPRIT_CHECK(worker.Run("echo", {"warm"})->ok(), "the worker does not answer");
  constexpr int kWarmQueries = 100;
  std::vector<double> start;
  std::vector<double> warm;
  std::vector<double> crash;
  const auto fresh = MeasureInTurn(
      state, [&] { CULPRIT_CHECK(zygote->RunFresh("echo", {"?"})->ok(), "no answer"); },
      [&] {
        warm.push_back(Seconds([&] {
                         for (int i = 0; i < kWarmQueries; ++i) static_cast<void>(worker.Run("echo", {"?"}));
                       }) /
                       kWarmQueries);
        crash.push_back(Seconds([&] { CULPRIT_CHECK(!zygote->RunFresh("crash", {})->ok(), "no crash"); }));
        start.push_back(Seconds(StartProgram));
      });
  state.counters["start_ms"] = Median(start) * 1e3;
  state.counters["fresh_ms"] = fresh.ours * 1e3;
  state.counters["fresh_ratio"] = Median(start) / fresh.ours;
  state.counters["warm_us"] = Median(warm) * 1e6;
  state.counters["warm_ratio"] = Median(start) / Median(warm);
  state.counters["crash_ms"] = Median(crash) * 1e3;
}

BENCHMARK(IsolatedQuery)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(15);

}  // namespace

const std::shared_ptr<const isolate::Zygote>& EarlyZygote() {
  static const std::shared_ptr<const isolate::Zygote> zygote = [] {
    check::WarmUp();
    return isolate::Zygote::Start(kTasks).value();
  }();
  return zygote;
}

}  // namespace culprit::bench
