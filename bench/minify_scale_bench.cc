// SPDX-License-Identifier: Apache-2.0
//
// How the search grows with the program: all strategies on a chain, and on a graph in which every third
// operator also uses an earlier one, with one guilty operator, two far ones, or one that makes wrong numbers,
// against the same with a tenth of the operators. The answers cost next to nothing, so this is the time
// outside the oracle.
//
//   us_per_operator   of the whole search
//   ratio             time per operator, to that of the smaller one. Questions are more by the logarithm:
//                     1.25 times from 10,000 to 100,000 operators. What no longer fits in the caches of the
//                     processor makes up the rest (the limit is 2.5)
//   questions
//   kb_per_operator   what the search adds to the memory that is in use, at the most
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>

#include <fstream>

#include "base/internal_error.h"
#include "bench/in_turn.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/graph_builder.h"

namespace culprit::bench {
namespace {

using minify::Answer;
using minify::Program;
using minify::Reply;

constexpr size_t kTimesSmaller = 10;
constexpr size_t kFarSkip = 7;

/// Guilty are tanh, in the last tenth, and exp, in the first.
Program MakeProgram(size_t operators, bool skips) {
  tests::TestGraph g;
  std::vector<graph::ValueId> values = {g.Placeholder("x")};
  for (size_t i = 0; i < operators; ++i) {
    const graph::ValueId last = values.back();
    if (i == operators / 10) {
      values.push_back(g.Call("aten::exp", {last}));
    } else if (i == operators - operators / 10) {
      values.push_back(g.Call("aten::tanh", {last}));
    } else if (skips && i % 3 == 2 && values.size() > kFarSkip) {
      values.push_back(g.Call("aten::minimum", {last, values[values.size() - kFarSkip]}));
    } else {
      values.push_back(g.Call("aten::sin", {last}));
    }
  }
  g.Return({values.back()});
  return {g.graph(), {at::ones({2, 3})}};
}

bool Has(const Program& program, std::string_view op) {
  return std::ranges::any_of(program.graph.nodes(),
                             [&](const graph::Node& node) { return node.op->name() == op; });
}

class OneGuilty : public minify::FailureCheck {
 public:
  Reply Ask(const Program& program) override {
    return {{Has(program, "aten::tanh") ? Answer::kSameFailure : Answer::kPasses}};
  }
};

class FarPair : public minify::FailureCheck {
 public:
  Reply Ask(const Program& program) override {
    const bool both = Has(program, "aten::tanh") && Has(program, "aten::exp");
    return {{both ? Answer::kSameFailure : Answer::kPasses}};
  }
};

/// What tanh makes is wrong, and what is made of it.
class WrongNumbers : public minify::FailureCheck {
 public:
  Reply Ask(const Program& program) override {
    const graph::Graph& graph = program.graph;
    std::vector<bool> wrong(graph.values().size(), false);
    for (const graph::Node& node : graph.nodes()) {
      bool is_wrong = node.op->name() == "aten::tanh";
      for (const graph::Argument& argument : node.arguments)
        ForEachValue(argument, [&](graph::ValueId id) { is_wrong = is_wrong || wrong[Index(id)]; });
      for (const graph::ValueId result : node.results) wrong[Index(result)] = is_wrong;
    }
    Reply reply;
    for (size_t i = 0; i < graph.outputs().size(); ++i) {
      const graph::Argument& output = graph.outputs()[i];
      if (output.is_value() && wrong[Index(output.value())]) reply.wrong_outputs.push_back(i);
    }
    if (!reply.wrong_outputs.empty()) reply.verdict.answer = Answer::kSameFailure;
    return reply;
  }
};

size_t Search(const Program& program, minify::FailureCheck& check, size_t guilty) {
  const auto all = minify::strategies::AllStrategies();
  const minify::SearchOptions options{.strategies = {all.begin(), all.end()}, .first = check.Ask(program)};
  const base::Result<minify::SearchResult> result = minify::Minimize(program, check, options);
  CULPRIT_CHECK(result.ok() && result->program.graph.nodes().size() == guilty, "not minimal");
  return result->questions;
}

/// In kilobytes, the most since the last call.
size_t TakePeakMemory() {
  std::ifstream status("/proc/self/status");
  size_t peak = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> peak;
  }
  std::ofstream("/proc/self/clear_refs") << 5;
  return peak;
}

template <typename Check>
void Grow(benchmark::State& state, bool skips, size_t guilty) {
  const size_t operators = state.range(0);
  const Program large = MakeProgram(operators, skips);
  const Program small = MakeProgram(operators / kTimesSmaller, skips);
  Check check;
  size_t questions = 0;
  TakePeakMemory();
  const size_t before = TakePeakMemory();
  const MedianSeconds median = MeasureInTurn(
      state, [&] { questions = Search(large, check, guilty); }, [&] { Search(small, check, guilty); });
  state.counters["us_per_operator"] = median.ours * 1e6 / operators;
  state.counters["ratio"] = median.ours / (median.theirs * kTimesSmaller);
  state.counters["questions"] = questions;
  state.counters["kb_per_operator"] = static_cast<double>(TakePeakMemory() - before) / operators;
}

void MinifyChainWithOneGuilty(benchmark::State& state) {
  Grow<OneGuilty>(state, /*skips=*/false, 1);
}
void MinifyChainWithFarPair(benchmark::State& state) {
  Grow<FarPair>(state, /*skips=*/false, 2);
}
void MinifyChainWithWrongNumbers(benchmark::State& state) {
  Grow<WrongNumbers>(state, /*skips=*/false, 1);
}
void MinifySkipsWithFarPair(benchmark::State& state) {
  Grow<FarPair>(state, /*skips=*/true, 2);
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(10000)->Arg(100000)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK(MinifyChainWithOneGuilty)->Apply(&Sizes);
BENCHMARK(MinifyChainWithFarPair)->Apply(&Sizes);
BENCHMARK(MinifyChainWithWrongNumbers)->Apply(&Sizes);
BENCHMARK(MinifySkipsWithFarPair)->Apply(&Sizes);

}  // namespace
}  // namespace culprit::bench
