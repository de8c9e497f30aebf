// SPDX-License-Identifier: Apache-2.0
//
// Joint graphs of models and random ones: split in any mode, simplified or not, they compute the same bits.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "autograd/joint/simplify.h"
#include "autograd/partition/partition.h"
#include "graph/analysis/uses.h"
#include "tests/lib/joint_fixtures.h"
#include "tests/lib/python_outputs.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::autograd {
namespace {

using Values = std::vector<c10::IValue>;

Values Run(const graph::Graph& graph, Values inputs) {
  return graph::Interpreter(graph).Run(std::move(inputs));
}

void Seed() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(7);
}

Values RunJoint(const Joint& joint, const Values& inputs) {
  Seed();
  return Run(joint.graph, graph::CopyAll(inputs));
}

Values RunSplit(const Partition& partition, const Values& inputs, size_t tangents) {
  Seed();
  const Values all = graph::CopyAll(inputs);
  const auto tangents_begin = all.end() - static_cast<ptrdiff_t>(tangents);
  Values outputs = Run(partition.forward, {all.begin(), tangents_begin});
  Values saved;
  for (const SavedValue& value : partition.saved) {
    saved.push_back(value.placeholder ? all[*value.placeholder]
                                      : outputs[partition.forward_outputs + *value.additional_output]);
  }
  saved.insert(saved.end(), tangents_begin, all.end());
  outputs.resize(partition.forward_outputs);
  const Values gradients = Run(partition.backward, std::move(saved));
  outputs.insert(outputs.end(), gradients.begin(), gradients.end());
  return outputs;
}

void ExpectSame(const Values& values, const Values& expected, const std::string& name) {
  ASSERT_EQ(values.size(), expected.size()) << name;
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(tests::SameBits(values[i], expected[i])) << name << ", output " << i;
}

void ExpectAllSavedIsUsed(const Partition& partition, const std::string& name) {
  const std::vector<bool> used = graph::UsedValues(partition.backward);
  for (size_t i = 0; i < partition.saved.size(); ++i)
    EXPECT_TRUE(used[Index(partition.backward.placeholders()[i].value)])
        << name << ": " << partition.saved[i].name;
}

void ExpectSplitsComputeTheSame(const tests::JointSubject& subject) {
  const Values expected = RunJoint(subject.joint, subject.inputs);
  const Joint simple = Simplify(subject.joint);
  EXPECT_LE(simple.graph.nodes().size(), subject.joint.graph.nodes().size());
  ExpectSame(RunJoint(simple, subject.inputs), expected, subject.name + " simplified");
  for (const Joint& joint : {subject.joint, simple}) {
    std::vector<int64_t> bytes;
    for (const PartitionMode& mode : kPartitionModes) {
      const Partition partition = Split(joint, mode);
      const std::string name = fmt::format("{} {}", subject.name, mode.name);
      ExpectSame(RunSplit(partition, subject.inputs, joint.tangents), expected, name);
      ExpectAllSavedIsUsed(partition, name);
      EXPECT_EQ(BackwardFrom(joint, partition.saved), partition.backward) << name;
      bytes.push_back(SavedBytes(partition));
    }
    EXPECT_LE(bytes[1], bytes[0]) << subject.name;
  }
}

TEST(SplitModels, ComputeTheSameInEveryModeAndMinCutSavesNoMore) {
  const at::NoGradGuard no_grad;
  for (const tests::JointSubject& subject : tests::ReadJointFixtures()) {
    ExpectSplitsComputeTheSame(subject);
    const Joint simple = Simplify(subject.joint);
    fmt::print("{}: {} nodes, simplified {}; bytes saved {}, by min-cut {}\n", subject.name,
               subject.joint.graph.nodes().size(), simple.graph.nodes().size(),
               SavedBytes(Split(simple, kPartitionModes[0])), SavedBytes(Split(simple, kPartitionModes[1])));
  }
}

bool WritesAnything(const graph::Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(),
                     [](const graph::Node& node) { return node.op->writes_any(); });
}

/// A random graph, whose last tensor is taken for a tangent; outputs that depend on it are gradients. Nothing
/// if it writes: joint graphs are functional.
std::optional<tests::JointSubject> RandomJoint(uint64_t seed) {
  tests::RandomGraph random = tests::MakeRandomGraph(seed, /*calls=*/20);
  if (WritesAnything(random.graph)) return std::nullopt;
  tests::JointSubject subject{
      fmt::format("random graph {}", seed), {std::move(random.graph), 1}, random.inputs};
  Joint& joint = subject.joint;
  joint.forward_nodes = tests::FirstNodeOfBackward(joint.graph, joint.tangents);
  joint.bytes = tests::BytesOf(joint.graph, subject.inputs);
  std::vector<graph::Argument> forward;
  std::vector<graph::Argument> gradients;
  for (const graph::Argument& output : joint.graph.outputs()) {
    const bool is_forward = !output.is_value() || IsForward(joint, output.value());
    (is_forward ? forward : gradients).push_back(output);
  }
  joint.forward_outputs = forward.size();
  forward.insert(forward.end(), gradients.begin(), gradients.end());
  joint.graph.SetOutputs(std::move(forward));
  return subject;
}

TEST(SplitRandomGraphs, ComputeTheSameInEveryModeAndMinCutSavesNoMore) {
  const at::NoGradGuard no_grad;
  int split = 0;
  for (int seed = 0; seed < tests::Volume(/*sample=*/300, /*full=*/2500); ++seed) {
    const std::optional<tests::JointSubject> subject = RandomJoint(seed);
    if (!subject) continue;
    ++split;
    ExpectSplitsComputeTheSame(*subject);
  }
  EXPECT_GT(split, 10);
}

}  // namespace
}  // namespace culprit::autograd
