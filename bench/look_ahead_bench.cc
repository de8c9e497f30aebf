// SPDX-License-Identifier: Apache-2.0
//
// What many workers are worth: searches with a check that only takes its time, one question at a time and
// `jobs` at a time. The programs are chains with two guilty operators, or with answers by chance, of which a
// given share fails; the search is the one of `culprit minify`, with all strategies.
//
//   speed_up      time of one at a time, to that of so many
//   questions     of the search; the same with any number
//   in_vain       asked ahead, and not needed
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "base/internal_error.h"
#include "bench/in_turn.h"
#include "graph/analysis/structural_hash.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/graph_builder.h"

namespace culprit::bench {
namespace {

using minify::Answer;
using minify::Program;
using minify::Reply;

/// Far more than what the search takes between two questions.
constexpr std::chrono::milliseconds kAnswer(100);

Program MakeChain(size_t length) {
  tests::TestGraph g;
  graph::ValueId value = g.Placeholder("x");
  for (size_t i = 0; i < length; ++i) {
    const char* const op = i == length / 10           ? "aten::exp"
                           : i == length - length / 5 ? "aten::tanh"
                                                      : "aten::sin";
    value = g.Call(op, {value});
  }
  g.Return({value});
  return {g.graph(), {at::ones({24, 64})}};
}

bool Has(const Program& program, std::string_view op) {
  return std::ranges::any_of(program.graph.nodes(),
                             [&](const graph::Node& node) { return node.op->name() == op; });
}

/// Fails with both guilty operators; with a percentage, those that have them fail by chance.
class SlowCheck : public minify::FailureCheck {
 public:
  explicit SlowCheck(uint64_t percent) : percent_(percent) {}

  Reply Ask(const Program& program) override {
    std::this_thread::sleep_for(kAnswer);
    const uint64_t coin = graph::StructuralHash(program.graph, program.inputs).low % 100;
    const bool fails = Has(program, "aten::exp") && Has(program, "aten::tanh") && coin < percent_;
    return {{fails ? Answer::kSameFailure : Answer::kPasses}};
  }

 private:
  uint64_t percent_;
};

minify::SearchResult Search(const Program& program, uint64_t percent, size_t jobs) {
  SlowCheck check(percent);
  minify::SearchOptions options{.jobs = jobs};
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies())
    options.strategies.push_back(entry);
  return *minify::Minimize(program, check, options);
}

void LookAhead(benchmark::State& state) {
  const Program program = MakeChain(state.range(0));
  const auto percent = static_cast<uint64_t>(state.range(1));
  const auto jobs = static_cast<size_t>(state.range(2));
  minify::SearchResult several;
  minify::SearchResult one;
  for (auto _ : state) {
    const double ours = Seconds([&] { several = Search(program, percent, jobs); });
    const double theirs = Seconds([&] { one = Search(program, percent, 1); });
    state.SetIterationTime(ours);
    state.counters["speed_up"] = theirs / ours;
  }
  CULPRIT_CHECK(several.program.graph == one.program.graph, "another result with several jobs");
  state.counters["questions"] = static_cast<double>(several.questions);
  state.counters["in_vain"] = static_cast<double>(several.asked_in_vain);
}
BENCHMARK(LookAhead)
    ->ArgNames({"operators", "percent", "jobs"})
    ->ArgsProduct({{60, 1000}, {100, 60}, {2, 4, 8, 16, 32, 100}})
    ->Unit(benchmark::kSecond)
    ->UseManualTime()
    ->Iterations(1);

}  // namespace
}  // namespace culprit::bench
