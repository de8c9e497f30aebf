// SPDX-License-Identifier: Apache-2.0
//
// What a compiler in a process of its own costs beside its own work, against the same work in the process of
// the query. The compiler is one that runs graphs as they are, on a tensor of so many MB. Both take turns;
// the counters hold medians:
//
//   here_ms      a query whose compiler is eager
//   server_ms    a query whose compiler is eager's in Python, behind a server
//   cost_ms      the difference (the limit is 100)
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>

#include "base/internal_error.h"
#include "bench/early_zygote.h"
#include "bench/in_turn.h"
#include "check/query/query_task.h"
#include "tests/lib/graph_builder.h"

namespace culprit::bench {
namespace {

repro::Repro ReproFor(const std::string& backend, int64_t megabytes) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  repro::Repro repro{g.graph(), {at::ones({megabytes * 1000 * 1000 / 4})}};
  repro.header.accuracy = repro::Accuracy::kOff;
  repro.header.backend = backend;
  return repro;
}

void ServerQuery(benchmark::State& state) {
  const repro::Repro here = ReproFor("eager", state.range(0));
  const repro::Repro there =
      ReproFor("exec:" CULPRIT_PYTHON " -P " CULPRIT_SOURCE_FOLDER "/tests/servers/toy.py", state.range(0));
  check::IsolatedQuery query(EarlyZygote(), {.wall_time = std::chrono::seconds(60)});
  const auto ask = [&](const repro::Repro& repro) {
    const base::Result<check::Finding> finding = query.Ask(repro);
    CULPRIT_CHECK(finding.ok() && finding->passes(), "the query fails");
  };
  ask(there);
  const MedianSeconds seconds = MeasureInTurn(
      state, [&] { ask(there); }, [&] { ask(here); });
  state.counters["here_ms"] = seconds.theirs * 1e3;
  state.counters["server_ms"] = seconds.ours * 1e3;
  state.counters["cost_ms"] = (seconds.ours - seconds.theirs) * 1e3;
}
BENCHMARK(ServerQuery)
    ->Arg(0)
    ->Arg(1)
    ->Arg(100)
    ->UseManualTime()
    ->Iterations(9)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace culprit::bench
