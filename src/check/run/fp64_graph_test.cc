// SPDX-License-Identifier: Apache-2.0
#include "check/run/fp64_graph.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "check/model/clone_inputs.h"
#include "check/run/graph_model.h"
#include "check/run/run_model.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::TestGraph;

graph::Graph Dropout() {
  TestGraph g;
  g.Return({g.Call("aten::dropout", {g.Call("aten::div.Tensor", {g.Placeholder("x"), 3.0}), 0.5, true})});
  return g.graph();
}

TEST(Fp64GraphTest, DrawsTheSameNumbersAsTheGraph) {
  const graph::Graph graph = Dropout();
  const std::vector<c10::IValue> inputs = {at::ones({1000})};
  const repro::RunSettings settings{.seed = 5};
  const auto twin = GraphInFp64(graph, inputs, settings);
  const RunEnd wide = RunModel(**twin, *CloneInputsInFp64(inputs), {SettingsInFp64(settings)});
  const RunEnd narrow = RunModel(GraphModel(graph), inputs, {settings});
  const at::Tensor a = narrow.calls.at(0).outputs.toTupleRef().elements()[0].toTensor();
  const at::Tensor b = wide.calls.at(0).outputs.toTupleRef().elements()[0].toTensor();
  EXPECT_EQ(b.scalar_type(), at::kDouble);
  EXPECT_TRUE(a.ne(0).equal(b.ne(0)));
  EXPECT_GT(a.ne(0).sum().item<int64_t>(), 300);
  EXPECT_LT(a.sub(b).abs().max().item<double>(), 1e-6);
  EXPECT_GT(a.sub(b).abs().max().item<double>(), 0);
}

TEST(Fp64GraphTest, CanBeDifferentiated) {
  const graph::Graph graph = Dropout();
  const std::vector<c10::IValue> inputs = {at::ones({1000}).requires_grad_(true)};
  const auto twin = GraphInFp64(graph, inputs, {});
  const RunEnd wide = RunModel(**twin, *CloneInputsInFp64(inputs), {SettingsInFp64({})});
  const RunEnd narrow = RunModel(GraphModel(graph), inputs, {});
  const at::Tensor a = narrow.calls.at(0).input_gradients->toListRef().at(0).toTensor();
  const at::Tensor b = wide.calls.at(0).input_gradients->toListRef().at(0).toTensor();
  EXPECT_EQ(b.scalar_type(), at::kDouble);
  EXPECT_LT(a.sub(b).abs().max().item<double>(), 1e-9);
  EXPECT_GT(b.sum().item<double>(), 0);
}

TEST(Fp64GraphTest, WhatWasDrawnIsNoInputOfTheModelAndSurvivesWrites) {
  TestGraph g;
  const ValueId r = g.Call("aten::rand", {{3}});
  g.Return({g.Call("aten::mul_.Tensor", {r, 2.0})});
  const auto twin = GraphInFp64(g.graph(), {}, {});
  const RunEnd outcome = RunModel(**twin, {}, {.settings = SettingsInFp64({}), .calls = 2});
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.calls[0].inputs.empty());
  const auto output = [&](size_t call) {
    return outcome.calls[call].outputs.toTupleRef().elements()[0].toTensor();
  };
  EXPECT_TRUE(output(0).equal(output(1)));
}

TEST(Fp64GraphTest, WhatCannotBeCastIsRefusedByName) {
  TestGraph g;
  g.Return({g.Call("aten::view.dtype", {g.Placeholder("x"), at::kInt})});
  EXPECT_EQ(GraphInFp64(g.graph(), {at::ones({2})}, {}).error().message,
            "aten::view.dtype reinterprets bits, which differ in float64");
}

}  // namespace
}  // namespace culprit::check
