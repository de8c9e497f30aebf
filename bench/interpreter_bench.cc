// SPDX-License-Identifier: Apache-2.0
//
// What the interpreter adds to each operator, over calling the same operators directly from C++. The
// counters hold medians:
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

#include "bench/in_turn.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::bench {
namespace {

using graph::Interpreter;
using graph::ValueId;
using tests::TestGraph;

constexpr int kRounds = 1000;

void Compare(benchmark::State& state, const Interpreter& interpreter, size_t operators, const auto& direct) {
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::ones({4});
  const MedianSeconds median = MeasureInTurn(
      state, [&] { benchmark::DoNotOptimize(interpreter.Run({x})); },
      [&] { benchmark::DoNotOptimize(direct(x)); });
  state.counters["direct_us"] = median.theirs * 1e6 / operators;
  state.counters["overhead_us"] = (median.ours - median.theirs) * 1e6 / operators;
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
}  // namespace culprit::bench
