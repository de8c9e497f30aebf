// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/graph.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/internal_error.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

/// forward(x, n: int); c = [0.0, 1.0]; add = x + c * alpha; return (add,)
Graph Example(double alpha = 1.5) {
  TestGraph g;
  g.graph().set_name("net_0_forward");
  const ValueId x = g.Placeholder("x");
  g.Placeholder("n", PlaceholderKind::kParameter, ValueKind::kInt);
  const ValueId c = g.Constant("c", at::tensor({0.0, 1.0}));
  g.Return({g.Call("aten::add.Tensor", {x, c}, {{"alpha", alpha}})});
  return g.graph();
}

TEST(GraphTest, EqualsItsCopy) {
  EXPECT_EQ(Example(), Example());
}

TEST(GraphTest, EveryPartCounts) {
  const std::vector<std::function<void(Graph&)>> changes = {
      [](Graph& graph) { graph.set_name("other"); },
      [](Graph& graph) { graph.RenameValue(ValueId{0}, "y"); },
      [](Graph& graph) { graph.SetValueKind(ValueId{1}, ValueKind::kFloat); },
      [](Graph& graph) { graph.SetPlaceholderKind(1, PlaceholderKind::kBuffer); },
      [](Graph& graph) { graph.AddPlaceholder("z"); },
      [](Graph& graph) { graph.AddConstant("z", at::zeros({1})); },
      [](Graph& graph) { graph.AddNode(Operator::Get("aten::relu"), {ValueId{0}}, {"relu"}); },
      [](Graph& graph) { graph.SetOutputs({ValueId{0}}); },
      [](Graph& graph) { graph = Example(2.5); },
      [](Graph& graph) { graph.constants()[0].tensor.data_ptr<double>()[0] = -0.0; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    Graph graph = Example();
    changes[i](graph);
    EXPECT_FALSE(graph == Example()) << "change " << i;
  }
}

TEST(GraphTest, TheDeviceOfAConstantCounts) {
  Graph cpu;
  Graph cuda;
  cpu.AddConstant("c", at::zeros({1}));
  cuda.AddConstant("c", at::zeros({1}), at::Device("cuda:0"));
  EXPECT_FALSE(cpu == cuda);
}

TEST(GraphTest, ResultsKnowWhereTheyComeFrom) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::relu", {x});
  const ValueId indices = g.CallAll("aten::max.dim", {x, 0}).at(1);
  const Value& value = g.graph().value(indices);
  EXPECT_EQ(value.origin, Origin::kNode);
  EXPECT_EQ(value.origin_index, 1);
  EXPECT_EQ(value.result_index, 1);
}

TEST(GraphTest, IncompleteNodesAreInternalErrors) {
  Graph graph;
  const ValueId x = graph.AddPlaceholder("x");
  const Operator& relu = Operator::Get("aten::relu");
  EXPECT_THROW(graph.AddNode(relu, {}, {"relu"}), base::InternalError);
  EXPECT_THROW(graph.AddNode(relu, {x}, {}), base::InternalError);
  EXPECT_THROW(graph.AddNode(Operator::Get("aten::qscheme"), {x}, {"qscheme"}), base::InternalError);
}

TEST(SameTensorTest, ComparesBitsNotNumbers) {
  const at::Tensor nan = at::tensor({std::nan(""), 1.0});
  EXPECT_TRUE(SameTensor(nan, nan.clone()));
  EXPECT_FALSE(SameTensor(at::tensor({0.0}), at::tensor({-0.0})));
}

TEST(SameTensorTest, DtypeSizesAndStridesCount) {
  const at::Tensor a = at::arange(4, at::kFloat).reshape({2, 2});
  EXPECT_FALSE(SameTensor(a, a.to(at::kDouble)));
  EXPECT_FALSE(SameTensor(a, a.reshape({4})));
  const at::Tensor symmetric = at::tensor({1.0, 2.0, 2.0, 1.0}).reshape({2, 2});
  EXPECT_FALSE(SameTensor(symmetric, symmetric.t()));
  EXPECT_FALSE(SameTensor(a, a.to_sparse()));
}

TEST(SameTensorTest, OffsetAndConjugateBitDoNotCount) {
  const at::Tensor a = at::arange(4, at::kDouble);
  EXPECT_TRUE(SameTensor(a.slice(0, 2, 4), at::tensor({2.0, 3.0})));
  const at::Tensor complex = at::tensor({1.0, 2.0}).to(at::kComplexFloat);
  EXPECT_TRUE(SameTensor(complex.conj(), complex.conj_physical()));
}

TEST(SameTensorTest, UndefinedEqualsOnlyUndefined) {
  EXPECT_TRUE(SameTensor({}, {}));
  EXPECT_FALSE(SameTensor({}, at::zeros({0})));
}

TEST(GraphTest, BatchNormWritesItsStatisticsInTrainingOnly) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Placeholder("mean");
  for (const bool training : {false, true}) {
    g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, mean, training, 0.1, 1e-5});
    const Node& node = g.graph().nodes().back();
    EXPECT_EQ(WritesInto(node, 3), training);
    EXPECT_FALSE(WritesInto(node, 0));
  }
}

}  // namespace
}  // namespace culprit::graph
