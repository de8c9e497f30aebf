// SPDX-License-Identifier: Apache-2.0
//
// Graphs through TorchScript without any optimisation: it gives what eager gives, bit for bit, so whatever
// differs with optimisation is the optimisation's doing.
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "graph/inputs/make_inputs.h"
#include "graph/passes/map_devices.h"
#include "graph/run/interpreter.h"
#include "tests/backends/run_on.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using backend::Values;

void ExpectSameAsEager(const graph::Graph& graph, const Values& inputs, const std::string& name) {
  const at::NoGradGuard no_grad;
  const auto backend = *backends::Open(*backend::ParseSpec("torchscript:off=executor_optimize"));
  const auto compiled = backend->Compile(graph, inputs);
  const Values expected = RunOn(inputs, [&](Values& given) { return graph::Interpreter(graph).Run(given); });
  const Values found = RunOn(inputs, [&](Values& given) { return compiled->Call(given); });
  ExpectSameValues(found, expected, name);
}

TEST(UnoptimisedTest, RandomGraphsGiveWhatEagerGives) {
  const int count = Volume(/*sample=*/200, /*full=*/2000);
  size_t nodes = 0;
  for (int seed = 0; seed < count; ++seed) {
    const RandomGraph random = MakeRandomGraph(seed);
    nodes += random.graph.nodes().size();
    ExpectSameAsEager(random.graph, random.inputs, fmt::format("seed {}", seed));
  }
  fmt::print("{} graphs, {} nodes\n", count, nodes);
}

TEST(UnoptimisedTest, GraphsOfModelsGiveWhatEagerGives) {
  for (const char* name :
       {"resnet18_torch2_1_forward", "transformer_torch2_4", "transformer_torch2_7_symbolic"}) {
    const graph::text::Script script = ReadFixtureScript(fmt::format("tests/fixtures/joint/{}.py", name));
    const graph::InputSpecs specs = graph::MapDevices(*script.inputs, at::kCPU);
    ExpectSameAsEager(graph::MapDevices(script.graph, at::kCPU), graph::inputs::MakeInputs(specs)->values,
                      name);
  }
}

}  // namespace
}  // namespace culprit::tests
