// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/file_operators.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

TEST(FileOperatorsTest, AnOperatorThatMapsAFileIsFound) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Call("aten::relu", {x});
  g.Return({g.Call("aten::from_file", {"/etc/passwd"})});
  EXPECT_EQ(FirstFileOperator(g.graph()), NodeId(1));
}

TEST(FileOperatorsTest, OthersAreNot) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  EXPECT_EQ(FirstFileOperator(g.graph()), std::nullopt);
}

}  // namespace
}  // namespace culprit::graph
