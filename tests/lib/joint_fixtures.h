// SPDX-License-Identifier: Apache-2.0
//
// Joint graphs for tests: those of models, which PyTorch has written (tests/fixtures/joint), with inputs, and
// any other graph with its last placeholders taken for tangents.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "autograd/joint/joint.h"
#include "graph/inputs/make_inputs.h"
#include "graph/passes/map_devices.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {

/// How many bytes each value of a run has.
class ByteCounter : public graph::Observer {
 public:
  explicit ByteCounter(const graph::Graph& graph) : graph_(graph), bytes(graph.values().size(), 0) {
    for (const graph::TensorConstant& constant : graph.constants()) Count(constant.value, constant.tensor);
  }

  void Count(graph::ValueId id, const c10::IValue& value) {
    if (value.isTensor() && value.toTensor().defined())
      bytes[Index(id)] = static_cast<int64_t>(value.toTensor().nbytes());
  }
  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    for (size_t i = 0; i < results.size(); ++i) Count(graph_.node(node).results[i], results[i]);
  }

 private:
  const graph::Graph& graph_;

 public:
  std::vector<int64_t> bytes;
};

inline std::vector<int64_t> BytesOf(const graph::Graph& graph, const std::vector<c10::IValue>& inputs) {
  ByteCounter counter(graph);
  for (size_t i = 0; i < inputs.size(); ++i) counter.Count(graph.placeholders()[i].value, inputs[i]);
  graph::Interpreter(graph).Run(graph::CopyAll(inputs), &counter);
  return counter.bytes;
}

/// The first node that depends on one of the last placeholders.
inline size_t FirstNodeOfBackward(const graph::Graph& graph, size_t tangents) {
  std::vector<bool> depends(graph.values().size(), false);
  for (size_t i = graph.placeholders().size() - tangents; i < graph.placeholders().size(); ++i)
    depends[Index(graph.placeholders()[i].value)] = true;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    for (const graph::Argument& argument : graph.nodes()[i].arguments) {
      bool found = false;
      ForEachValue(argument, [&](graph::ValueId id) { found = found || depends[Index(id)]; });
      if (found) return i;
    }
  }
  return graph.nodes().size();
}

struct JointSubject {
  std::string name;
  autograd::Joint joint;
  std::vector<c10::IValue> inputs;
};

inline bool HasTangents(const graph::Graph& graph) {
  const graph::Placeholder& last = graph.placeholders().back();
  return graph.value(last.value).name.starts_with("tangents_");
}

inline JointSubject ReadJointFixture(const std::string& path) {
  const graph::text::Script script = ReadFixtureScript(path);
  auto made = graph::inputs::MakeInputs(graph::MapDevices(*script.inputs, at::kCPU), {.seed = 1});
  EXPECT_TRUE(made.ok()) << path << ": " << made.error().message;
  JointSubject subject{path, {graph::MapDevices(script.graph, at::kCPU), 1}, std::move(made->values)};
  autograd::Joint& joint = subject.joint;
  const size_t gradients = joint.graph.placeholders().size() - joint.tangents;
  joint.forward_outputs = joint.graph.outputs().size() - gradients;
  joint.forward_nodes = FirstNodeOfBackward(joint.graph, joint.tangents);
  joint.bytes = BytesOf(joint.graph, subject.inputs);
  return subject;
}

/// All of them that are joint: some of the scripts are forward or backward alone.
inline std::vector<JointSubject> ReadJointFixtures() {
  std::vector<JointSubject> subjects;
  for (const std::string& path : FixturesIn("joint")) {
    if (path.ends_with("_forward.py") || path.ends_with("_backward.py")) continue;
    subjects.push_back(ReadJointFixture(path));
    EXPECT_TRUE(HasTangents(subjects.back().joint.graph)) << path;
  }
  return subjects;
}

}  // namespace culprit::tests
