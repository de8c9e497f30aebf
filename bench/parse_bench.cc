// SPDX-License-Identifier: Apache-2.0
//
// Reading the text form into a graph, against torch::jit::Parser on the same statements, which builds a
// syntax tree and no more. The limit of `ratio` (ours to theirs) is 2.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <torch/csrc/jit/frontend/parser.h>

#include <string>

#include "bench/in_turn.h"
#include "graph/text/script/script.h"

namespace culprit::bench {
namespace {

std::string Statements(int count) {
  std::string text = "        v0 = torch.ops.aten.relu.default(x)\n";
  for (int i = 1; i < count; ++i) {
    switch (i % 4) {
      case 0:
        text += fmt::format("        v{} = torch.ops.aten.add.Tensor(v{}, x, alpha=1)\n", i, i - 1);
        break;
      case 1:
        text += fmt::format(
            "        v{} = torch.ops.aten.convolution.default(v{}, w, None, [1, 1], [0, 0], [1, 1], False, "
            "[0, 0], 1)\n",
            i, i - 1);
        break;
      case 2:
        text += fmt::format("        v{} = torch.ops.aten.mul.Tensor(v{}, 0.5)\n", i, i - 1);
        break;
      default:
        text += fmt::format("        v{} = torch.ops.aten.sum.dim_IntList(v{}, [2, 3], True)\n", i, i - 1);
    }
  }
  return text + fmt::format("        return (v{},)\n", count - 1);
}

void ReadAgainstTorchScriptParser(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const std::string body = Statements(count);
  const std::string script = "class Repro(torch.nn.Module):\n    def forward(self, x, w):\n" + body;
  const std::string function = "def forward(x, w):\n" + body;
  const MedianSeconds median = MeasureInTurn(
      state, [&] { benchmark::DoNotOptimize(graph::text::ReadScript("bench.py", script)); },
      [&] {
        torch::jit::Parser parser(std::make_shared<torch::jit::Source>(function));
        benchmark::DoNotOptimize(parser.parseFunction(/*is_method=*/false));
      });
  state.counters["parser_ms"] = median.theirs * 1e3;
  state.counters["ratio"] = median.ours / median.theirs;
}
BENCHMARK(ReadAgainstTorchScriptParser)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace culprit::bench
