// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/statistics.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

TEST(StatisticsTest, CountsCallsAndTellsBuiltinsApart) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId n = g.Call("aten::sym_size.int", {x, 0});
  g.Call("python::add.int", {n, 1});
  g.Call("aten::add.Tensor", {x, g.Call("aten::add.Tensor", {x, x})});
  g.Call("aten::add.Scalar", {x, 1});
  const Statistics statistics = ComputeStatistics(g.graph());
  EXPECT_EQ(statistics.operators, 3);
  EXPECT_EQ(statistics.builtins, 2);
  EXPECT_EQ(statistics.calls_by_operator,
            (std::map<std::string, size_t>{{"aten::add.Scalar", 1}, {"aten::add.Tensor", 2}}));
}

TEST(StatisticsTest, CountsPlaceholdersByKind) {
  TestGraph g;
  g.Placeholder("x");
  g.Placeholder("w", PlaceholderKind::kParameter);
  g.Placeholder("b", PlaceholderKind::kParameter);
  for (const char* name : {"m", "v", "n"}) g.Placeholder(name, PlaceholderKind::kBuffer);
  const Statistics statistics = ComputeStatistics(g.graph());
  EXPECT_EQ(statistics.inputs, 1);
  EXPECT_EQ(statistics.parameters, 2);
  EXPECT_EQ(statistics.buffers, 3);
}

TEST(StatisticsTest, CountsConstantsAndTheirBytes) {
  TestGraph g;
  g.Constant("a", at::zeros({3}, at::kDouble));
  g.Constant("b", at::zeros({5}, at::kBool));
  const Statistics statistics = ComputeStatistics(g.graph());
  EXPECT_EQ(statistics.tensor_constants, 2);
  EXPECT_EQ(statistics.constant_bytes, 3 * 8 + 5);
}

TEST(StatisticsTest, CountsRandomAndMutatingOperators) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::rand_like", {x});
  g.Call("aten::bernoulli_.float", {x});
  g.Call("aten::add_.Tensor", {x, x});
  const Statistics statistics = ComputeStatistics(g.graph());
  EXPECT_EQ(statistics.random_operators, 2);
  EXPECT_EQ(statistics.mutating_operators, 2);
}

TEST(StatisticsTest, UnusedValuesAreNeitherOperandsNorOutputs) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Placeholder("unused");
  const std::vector<ValueId> max = g.CallAll("aten::max.dim", {x, 0});
  g.Return({max[0], nullptr});
  const Statistics statistics = ComputeStatistics(g.graph());
  EXPECT_EQ(statistics.unused_values, 2);
  EXPECT_EQ(statistics.outputs, 2);
}

TEST(StatisticsTest, DepthIsTheLongestChainWithoutBuiltins) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId split = g.Call("aten::split.Tensor", {x, 2});
  const ValueId first = g.Call("python::getitem.Tensor", {split, 0});
  g.Call("aten::cat", {{x, g.Call("aten::relu", {first})}});
  g.Call("aten::neg", {x});
  EXPECT_EQ(ComputeStatistics(g.graph()).depth, 3);
  EXPECT_EQ(ComputeStatistics(Graph()).depth, 0);
}

}  // namespace
}  // namespace culprit::graph
