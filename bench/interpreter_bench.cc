// SPDX-License-Identifier: Apache-2.0
//
// What the interpreter adds to each operator, over calling the same operators directly from C++. Both are
// measured in turn within each iteration, so that a busy machine slows both; the counters hold medians:
//
//   direct_us    microseconds per operator, called directly
//   overhead_us  what the interpreter adds (the limit is 1)
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sum.h>
#include <benchmark/benchmark.h>

#include <chrono>

#include "graph/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit {
namespace {

using graph::Interpreter;
using graph::ValueId;
using tests::TestGraph;

constexpr int kRounds = 1000;

double Seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double Median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + numbers.size() / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

void Compare(benchmark::State& state, const Interpreter& interpreter, size_t operators, const auto& direct) {
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::ones({4});
  std::vector<double> direct_us;
  std::vector<double> overhead_us;
  for (auto _ : state) {
    const double called = Seconds([&] { benchmark::DoNotOptimize(direct(x)); });
    const double interpreted = Seconds([&] { benchmark::DoNotOptimize(interpreter.Run({x})); });
    direct_us.push_back(called * 1e6 / operators);
    overhead_us.push_back((interpreted - called) * 1e6 / operators);
    state.SetIterationTime(interpreted);
  }
  state.counters["direct_us"] = Median(direct_us);
  state.counters["overhead_us"] = Median(overhead_us);
}

void InterpreterOnAdds(benchmark::State& state) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  ValueId y = x;
  for (int i = 0; i < kRounds; ++i) y = g.Call("aten::add.Tensor", {y, x});
  g.Return({y});
  Compare(state, Interpreter(g.graph()), kRounds, [](const at::Tensor& x) {
    at::Tensor y = x;
    for (int i = 0; i < kRounds; ++i) y = at::add(y, x);
    return y;
  });
}

void InterpreterOnMix(benchmark::State& state) {
  TestGraph g;
  ValueId y = g.Placeholder("x");
  for (int i = 0; i < kRounds; ++i) {
    const ValueId scaled = g.Call("aten::mul.Tensor", {y, 0.5});
    const ValueId positive = g.Call("aten::relu", {scaled});
    const ValueId both = g.Call("aten::cat", {{positive, positive}});
    const ValueId sum = g.Call("aten::sum.dim_IntList", {both, {0}, true});
    y = g.Call("aten::add.Tensor", {positive, sum});
  }
  g.Return({y});
  Compare(state, Interpreter(g.graph()), 5 * kRounds, [](const at::Tensor& x) {
    at::Tensor y = x;
    for (int i = 0; i < kRounds; ++i) {
      const at::Tensor positive = at::relu(at::mul(y, 0.5));
      y = at::add(positive, at::sum(at::cat({positive, positive}), {0}, true));
    }
    return y;
  });
}

BENCHMARK(InterpreterOnAdds)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(InterpreterOnMix)->Unit(benchmark::kMillisecond)->UseManualTime();

}  // namespace
}  // namespace culprit
