// SPDX-License-Identifier: Apache-2.0
//
// What is printed runs unchanged under plain Python with PyTorch, and computes the same bits as the
// interpreter.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/inputs/make_inputs.h"
#include "graph/passes/map_devices.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/text/script/script.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/python_outputs.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

struct Case {
  std::string name;
  graph::Graph graph;
  std::vector<c10::IValue> inputs;
};

std::vector<c10::IValue> RunHere(const Case& one, uint64_t seed) {
  const at::NoGradGuard no_grad;
  at::manual_seed(seed);
  return graph::Interpreter(one.graph).Run(graph::CopyAll(one.inputs));
}

void ExpectSameInPython(const std::vector<Case>& cases) {
  constexpr uint64_t kSeed = 7;
  std::vector<PythonRun> runs;
  for (const Case& one : cases)
    runs.push_back({*graph::text::PrintScript({one.graph, std::nullopt}), one.inputs});
  const std::vector<PythonOutputs> theirs = RunInPython(runs, {.seed = kSeed});
  ASSERT_EQ(theirs.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    ASSERT_TRUE(theirs[i].ok()) << cases[i].name << ": " << theirs[i].error().message << "\n"
                                << runs[i].script;
    const std::vector<c10::IValue> ours = RunHere(cases[i], kSeed);
    ASSERT_EQ(theirs[i]->size(), ours.size()) << cases[i].name;
    for (size_t k = 0; k < ours.size(); ++k) {
      EXPECT_TRUE(SameBits(ours[k], (*theirs[i])[k])) << cases[i].name << ", output " << k << "\n"
                                                      << runs[i].script;
    }
  }
}

TEST(Python, RandomGraphsGiveTheSameBits) {
  std::vector<Case> cases;
  for (int seed = 0; seed < Volume(/*sample=*/60, /*full=*/500); ++seed) {
    RandomGraph random = MakeRandomGraph(seed);
    cases.push_back({fmt::format("seed {}", seed), std::move(random.graph), std::move(random.inputs)});
  }
  ExpectSameInPython(cases);
}

TEST(Python, JointGraphsOfModelsGiveTheSameBits) {
  std::vector<Case> cases;
  for (const std::string& path : FixturesIn("joint")) {
    graph::text::Script script = ReadFixtureScript(path);
    ASSERT_TRUE(script.inputs) << path;
    auto inputs = graph::inputs::MakeInputs(graph::MapDevices(*script.inputs, at::kCPU), {.seed = 1});
    ASSERT_TRUE(inputs.ok()) << path << ": " << inputs.error().message;
    cases.push_back({path, graph::MapDevices(script.graph, at::kCPU), std::move(inputs->values)});
  }
  ExpectSameInPython(cases);
}

}  // namespace
}  // namespace culprit::tests
