// SPDX-License-Identifier: Apache-2.0
//
// A search whose every question is put to a process of its own, against what a user of functorch's minifier
// would have to do for that: start a Python for each query. The fault is an exception in one operator of a
// chain.
//
//   questions      Culprit's
//   fresh_ms       one fresh Python that loads the graph and asks once
//   question_ms    one question of Culprit's, all in all
//   time_ratio     functorch's queries, each in a fresh Python, to Culprit's whole search (should be 100)
//
// And what a process of its own adds to one question about a model, medians:
//
//   here_ms        the question in this process
//   overhead_ms    what a process adds (should be at most 15)
#include <benchmark/benchmark.h>

#include <fstream>

#include "base/internal_error.h"
#include "bench/early_zygote.h"
#include "bench/functorch.h"
#include "bench/in_turn.h"
#include "check/query/query.h"
#include "check/query/query_task.h"
#include "hunt/oracle/isolated_check.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {
namespace {

repro::Header HeaderWithFault() {
  repro::Header header;
  header.faults = {"erf:runtime-error"};
  return header;
}

void IsolatedMinify(benchmark::State& state) {
  const graph::text::Script script = Marked(Chain(state.range(0), false), Oracle::kOne);
  const minify::Program program = ProgramOf(script);
  tests::TemporaryFolder folder;
  std::ofstream(folder / "chain.py") << *graph::text::PrintScript(script);
  const std::vector<FunctorchCase> cases = {{folder / "chain.py", Oracle::kOne}};
  const size_t queries = RunFunctorch(cases, {100000, 600})[0].queries;
  check::IsolatedQuery query(EarlyZygote(), {});
  const check::Finding finding = *query.Ask(hunt::ReproOf(program, HeaderWithFault()));
  CULPRIT_CHECK(finding.failure.has_value(), "the chain does not fail");
  hunt::IsolatedCheck check(check::InChildrenOf(EarlyZygote()), {}, HeaderWithFault(),
                            {.signature = *finding.failure});
  const minify::SearchOptions options{
      .strategies = {minify::strategies::AllStrategies().begin(), minify::strategies::AllStrategies().end()}};
  size_t questions = 0;
  const MedianSeconds median = MeasureInTurn(
      state, [&] { questions = minify::Minimize(program, check, options)->questions; },
      [&] {
        RunFunctorch(cases, {1, 600});
      });
  state.counters["questions"] = static_cast<double>(questions);
  state.counters["fresh_ms"] = median.theirs * 1e3;
  state.counters["question_ms"] = median.ours * 1e3 / static_cast<double>(questions);
  state.counters["time_ratio"] = static_cast<double>(queries) * median.theirs / median.ours;
}
BENCHMARK(IsolatedMinify)->Arg(100)->Arg(1000)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

void IsolatedQuestionAboutModel(benchmark::State& state, const std::string& model) {
  repro::Header header;
  header.accuracy = repro::Accuracy::kStrict;
  const repro::Repro repro = hunt::ReproOf(ProgramOf(ReadScriptOf("models/" + model)), header);
  const std::unique_ptr<backend::Backend> backend = *check::OpenBackend(header);
  check::IsolatedQuery query(EarlyZygote(), {});
  const auto isolated = [&] { CULPRIT_CHECK(query.Ask(repro)->passes(), "{} fails", model); };
  isolated();
  const MedianSeconds median = MeasureInTurn(state, isolated, [&] { check::RunQuery(repro, *backend); });
  state.counters["here_ms"] = median.theirs * 1e3;
  state.counters["overhead_ms"] = (median.ours - median.theirs) * 1e3;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const char* model : kModels) {
    const std::string name = std::string("IsolatedQuestionAbout/") + model;
    benchmark::RegisterBenchmark(
        name.c_str(), [model](benchmark::State& state) { IsolatedQuestionAboutModel(state, model); })
        ->UseManualTime()
        ->Iterations(9)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace culprit::bench
