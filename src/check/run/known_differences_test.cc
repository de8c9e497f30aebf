// SPDX-License-Identifier: Apache-2.0
#include "check/run/known_differences.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

graph::Graph PowerOf(double exponent) {
  tests::TestGraph g;
  g.Return({g.Call("aten::pow.Tensor_Scalar", {g.Placeholder("x"), exponent})});
  return g.graph();
}

TEST(KnownDifferencesTest, APowerOfOneHalfHasNoSignAtZero) {
  for (const double exponent : {0.5, -0.5}) {
    const graph::Graph graph = PowerOf(exponent);
    const auto known = FindKnownDifferences("inductor", graph);
    ASSERT_TRUE(known);
    EXPECT_THAT(known->lines, testing::ElementsAre(testing::HasSubstr("pytorch#127163")));
    const at::Tensor zero = at::full({4}, -0.0), positive = at::full({4}, 0.0);
    const auto run = [](const graph::Graph& of, const at::Tensor& on) {
      return graph::Interpreter(of).Run({on}).at(0).toTensor().signbit();
    };
    EXPECT_TRUE(at::equal(run(known->graph, zero), run(graph, positive)));
    EXPECT_FALSE(at::equal(run(known->graph, zero), run(graph, zero))) << "eager's is another";
  }
}

TEST(KnownDifferencesTest, OtherPowersAreNoneOfThem) {
  EXPECT_FALSE(FindKnownDifferences("inductor", PowerOf(-0.25)));
}

TEST(KnownDifferencesTest, OtherCompilersHaveNone) {
  EXPECT_FALSE(FindKnownDifferences("torchscript", PowerOf(-0.5)));
}

}  // namespace
}  // namespace culprit::check
