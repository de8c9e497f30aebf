// SPDX-License-Identifier: Apache-2.0
//
// Random cuts through the joint graphs of models: nearly all can be made, and each computes what the whole
// run did.
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "graph/inputs/make_inputs.h"
#include "graph/passes/extract.h"
#include "graph/passes/hoist_random.h"
#include "graph/passes/map_devices.h"
#include "graph/run/interpreter.h"
#include "graph/run/recording.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/python_outputs.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using graph::Extraction;
using graph::NodeId;

// Half of the cuts are windows of neighbours, as a minifier makes them; the others pick nodes at random.
std::vector<NodeId> RandomNodes(size_t count, std::mt19937& random) {
  std::vector<NodeId> nodes;
  if (random() % 2 == 0) {
    const size_t begin = random() % count;
    const size_t length = 1 + random() % (count - begin);
    for (size_t i = begin; i < begin + length; ++i) nodes.push_back(NodeId{static_cast<uint32_t>(i)});
    return nodes;
  }
  const unsigned share = 1 + random() % 99;
  for (uint32_t i = 0; i < count; ++i) {
    if (random() % 100 < share) nodes.push_back(NodeId{i});
  }
  return nodes;
}

// empty, empty_like, new_empty ...: whatever happened to be in memory.
bool IsUninitialised(const graph::Graph& graph, graph::ValueId id) {
  const graph::Value& value = graph.value(id);
  return value.origin == graph::Origin::kNode &&
         graph.nodes()[value.origin_index].op->name().find("empty") != std::string::npos;
}

void ExpectSameAsRecorded(const Extraction& extraction, const graph::Recording& recording,
                          const std::string& name) {
  const std::vector<c10::IValue> outputs = graph::Interpreter(extraction.graph).Run(extraction.CopyInputs());
  ASSERT_EQ(outputs.size(), extraction.outputs.size()) << name;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const graph::ExtractedOutput& output = extraction.outputs[i];
    if (IsUninitialised(extraction.graph, extraction.graph.outputs()[i].value())) continue;
    const auto expected = recording.ValueAt(output.source, output.as_of);
    ASSERT_TRUE(expected.has_value()) << name;
    const bool is_list = expected->isTensorList();
    const c10::IValue item = is_list ? c10::IValue(expected->toTensorVector().at(output.item)) : *expected;
    EXPECT_TRUE(SameBits(outputs[i], item)) << name << ", output " << i;
  }
}

// A joint graph on the CPU without random operators: its dropout masks are inputs.
struct Subject {
  graph::Graph graph;
  graph::Recording recording;
};

Subject MakeSubject(const std::string& path) {
  const graph::text::Script script = ReadFixtureScript(path);
  const graph::Graph random_graph = graph::MapDevices(script.graph, at::kCPU);
  auto made = graph::inputs::MakeInputs(graph::MapDevices(*script.inputs, at::kCPU), {.seed = 1});
  EXPECT_TRUE(made.ok()) << path << ": " << made.error().message;
  std::vector<c10::IValue>& inputs = made->values;
  auto hoisted = HoistRandom(random_graph, Record(random_graph, graph::CopyAll(inputs)));
  EXPECT_TRUE(hoisted.ok()) << path << ": " << hoisted.error().message;
  inputs.insert(inputs.end(), hoisted->added_inputs.begin(), hoisted->added_inputs.end());
  graph::Recording recording = Record(hoisted->graph, std::move(inputs));
  return {std::move(hoisted->graph), std::move(recording)};
}

TEST(JointGraphs, FewRandomCutsAreRefusedAndTheOthersComputeTheSame) {
  const at::NoGradGuard no_grad;
  int cuts = 0;
  int refused = 0;
  for (const std::string& path : FixturesIn("joint")) {
    const Subject subject = MakeSubject(path);
    std::mt19937 random(cuts);
    for (int i = 0; i < Volume(/*sample=*/6, /*full=*/200); ++i) {
      ++cuts;
      const std::vector<NodeId> nodes = RandomNodes(subject.graph.nodes().size(), random);
      const base::Result<Extraction> extraction = Extract(subject.graph, nodes, subject.recording);
      if (!extraction.ok()) {
        ++refused;
        fmt::print("{}: {}\n", path, extraction.error().message);
        continue;
      }
      ExpectSameAsRecorded(*extraction, subject.recording, fmt::format("{} cut {}", path, i));
    }
  }
  fmt::print("{} of {} random cuts refused\n", refused, cuts);
  EXPECT_LT(refused * 100, cuts * 5);
}

}  // namespace
}  // namespace culprit::tests
