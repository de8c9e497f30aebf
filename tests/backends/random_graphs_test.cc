// SPDX-License-Identifier: Apache-2.0
//
// Random graphs through TorchScript: what it gives without optimising anything is what eager gives, bit for
// bit, so whatever differs later is an optimisation's doing.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "graph/interpreter.h"
#include "graph/tensor_copy.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using backend::Values;

constexpr uint64_t kSeed = 11;

bool SameValue(const c10::IValue& a, const c10::IValue& b) {
  if (a.isTensor() && b.isTensor()) return graph::SameTensor(a.toTensor(), b.toTensor());
  if (!a.isList() || !b.isList()) return graph::SameConstant(a, b);
  const auto x = a.toListRef();
  const auto y = b.toListRef();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), SameValue);
}

struct Outcome {
  Values outputs;
  /// As the run has left them.
  Values inputs;
};

template <typename Function>
Outcome Watch(const RandomGraph& random, const Function& function) {
  Outcome outcome;
  outcome.inputs = graph::CopyAll(random.inputs);
  at::manual_seed(kSeed);
  Values given = outcome.inputs;
  outcome.outputs = function(given);
  return outcome;
}

TEST(RandomGraphsTest, TorchScriptWithoutOptimisationGivesWhatEagerGives) {
  const at::NoGradGuard no_grad;
  const auto backend = *backends::Open(*backend::ParseSpec("torchscript:off=executor_optimize"));
  const int count = Volume(/*sample=*/200, /*full=*/2000);
  size_t nodes = 0;
  for (int seed = 0; seed < count; ++seed) {
    const RandomGraph random = MakeRandomGraph(seed);
    nodes += random.graph.nodes().size();
    const Outcome expected =
        Watch(random, [&](Values& inputs) { return graph::Interpreter(random.graph).Run(inputs); });
    const auto compiled = backend->Compile(random.graph, random.inputs);
    const Outcome given = Watch(random, [&](Values& inputs) { return compiled->Call(inputs); });
    for (size_t i = 0; i < expected.outputs.size(); ++i)
      EXPECT_TRUE(SameValue(given.outputs[i], expected.outputs[i]))
          << fmt::format("seed {} output {}", seed, i);
    for (size_t i = 0; i < expected.inputs.size(); ++i)
      EXPECT_TRUE(SameValue(given.inputs[i], expected.inputs[i])) << fmt::format("seed {} input {}", seed, i);
  }
  fmt::print("{} graphs, {} nodes\n", count, nodes);
}

}  // namespace
}  // namespace culprit::tests
