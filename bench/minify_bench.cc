// SPDX-License-Identifier: Apache-2.0
//
// Culprit's search against functorch's minifier, on the same graphs and with the same oracles
// (bench/marked_graph.h), both in their own process with one thread and the same settings of malloc. Only the
// strategies for operators take part, since functorch simplifies nothing else. A table has a row for each
// case; the counters hold
//
//   query_ratio    functorch's queries to Culprit's, geometric mean (must be 2, should be 3)
//   time_ratio     its time to Culprit's, geometric mean (should be 10)
//   far_queries    the most that Culprit needs for two far operators (should be below 30)
//   more_left      cases in which Culprit leaves more operators than functorch (must be 0)
//   far_left       the most operators that Culprit leaves of two far ones (must be 2)
//
//   stopped        cases in which functorch took too long: their rows have a + behind the queries, and the
//                  ratios above leave them out
//
// With CULPRIT_TEST_VOLUME=full functorch may take an hour for each case.
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "base/internal_error.h"
#include "bench/functorch.h"
#include "bench/in_turn.h"
#include "bench/marked_graph.h"
#include "bench/peak_memory.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::bench {
namespace {

constexpr std::string_view kOperatorStrategies[] = {"hoist",  "instrument", "explode",     "prefix",
                                                    "gallop", "suffix",     "quickxplain", "drop",
                                                    "bypass", "outputs",    "inputs"};

struct Case {
  std::string name;
  Oracle oracle;
  graph::text::Script script;
};

/// Beyond, functorch takes seconds for each query.
constexpr size_t kManyOperators = 2000;

std::vector<Case> Cases() {
  std::vector<std::pair<std::string, graph::text::Script>> graphs;
  for (const size_t operators : {100, 1000, 5000}) {
    graphs.emplace_back(fmt::format("chain of {}", operators), Chain(operators, false));
    graphs.emplace_back(fmt::format("with skips, {}", operators), Chain(operators, true));
  }
  for (const char* model : kModels) graphs.emplace_back(model, ReadScriptOf(std::string("models/") + model));
  for (const char* model : {"resnet18", "transformer"})
    graphs.emplace_back(std::string(model) + ", joint",
                        ReadScriptOf(fmt::format("joint/{}_torch2_1", model)));
  std::vector<Case> cases;
  for (const auto& [name, script] : graphs) {
    for (const Oracle oracle : {Oracle::kOne, Oracle::kPair, Oracle::kFar, Oracle::kNumbers}) {
      const bool is_sampled = oracle == Oracle::kOne || oracle == Oracle::kFar;
      if (script.graph.nodes().size() < kManyOperators || is_sampled || tests::FullVolume())
        cases.push_back({name, oracle, Marked(script, oracle)});
    }
  }
  return cases;
}

Minified RunCulprit(const Case& one) {
  const minify::Program program = ProgramOf(one.script);
  minify::SearchOptions options;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) {
    if (std::ranges::count(kOperatorStrategies, entry.name) > 0) options.strategies.push_back(entry);
  }
  CULPRIT_CHECK(options.strategies.size() == std::size(kOperatorStrategies), "a strategy has another name");
  MarkerCheck check(one.oracle);
  Minified minified;
  minified.megabytes = ExtraMegabytes([&] {
    minified.seconds = Seconds([&] {
      options.first = check.Ask(program);
      options.costs = std::make_shared<minify::Costs>(minify::MeasureCosts(program));
      const minify::SearchResult result = *minify::Minimize(program, check, options);
      minified.queries = 1 + result.questions;
      minified.left = result.program.graph.nodes().size();
    });
  });
  minified.distinct = minified.queries;
  minified.outside = minified.seconds - check.seconds();
  return minified;
}

std::string Row(const Minified& minified) {
  return fmt::format("{:>6}{} {:>6} {:>8.2f} {:>8.2f} {:>6.0f} {:>4}", minified.queries,
                     minified.ended ? ' ' : '+', minified.distinct, minified.seconds, minified.outside,
                     minified.megabytes, minified.left);
}

/// What all rows say together.
class Summary {
 public:
  void Add(const Case& one, const Minified& theirs, const Minified& ours) {
    fmt::print("{:<19} {:<8} {:>5} |{} |{} | {:>6.1f} {:>6.1f}\n", one.name, NameOf(one.oracle),
               one.script.graph.nodes().size(), Row(theirs), Row(ours), Ratio(theirs.queries, ours.queries),
               theirs.seconds / ours.seconds);
    if (ours.left > theirs.left) ++more_left_;
    if (one.oracle == Oracle::kFar) {
      far_queries_ = std::max(far_queries_, ours.queries);
      far_left_ = std::max(far_left_, ours.left);
    }
    if (!theirs.ended) {
      ++stopped_;
      return;
    }
    ++cases_;
    query_logs_ += std::log(Ratio(theirs.queries, ours.queries));
    time_logs_ += std::log(theirs.seconds / ours.seconds);
  }

  void Report(benchmark::State& state) const {
    state.counters["query_ratio"] = std::exp(query_logs_ / cases_);
    state.counters["time_ratio"] = std::exp(time_logs_ / cases_);
    state.counters["far_queries"] = static_cast<double>(far_queries_);
    state.counters["more_left"] = more_left_;
    state.counters["far_left"] = static_cast<double>(far_left_);
    state.counters["stopped"] = stopped_;
  }

 private:
  static double Ratio(size_t theirs, size_t ours) {
    return static_cast<double>(theirs) / static_cast<double>(ours);
  }

  double cases_ = 0;
  double query_logs_ = 0;
  double time_logs_ = 0;
  double more_left_ = 0;
  double stopped_ = 0;
  size_t far_queries_ = 0;
  size_t far_left_ = 0;
};

void MinifyAgainstFunctorch(benchmark::State& state) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const std::vector<Case> cases = Cases();
  tests::TemporaryFolder folder;
  std::vector<FunctorchCase> for_functorch;
  for (const Case& one : cases) {
    const std::string path = folder / fmt::format("{}.py", for_functorch.size());
    std::ofstream(path) << *graph::text::PrintScript(one.script);
    for_functorch.push_back({path, one.oracle});
  }
  Summary summary;
  for (auto _ : state) {
    const FunctorchLimits limits = tests::FullVolume() ? FunctorchLimits{100000, 3600} : FunctorchLimits{};
    const std::vector<Minified> theirs = RunFunctorch(for_functorch, limits);
    fmt::print(
        "{:<33} | functorch: queries, distinct, s, s outside the oracle, MB, operators left | the same "
        "for Culprit | ratios of queries and time\n",
        "");
    for (size_t i = 0; i < cases.size(); ++i) summary.Add(cases[i], theirs[i], RunCulprit(cases[i]));
  }
  summary.Report(state);
  at::set_num_threads(threads);
}
BENCHMARK(MinifyAgainstFunctorch)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace culprit::bench
