// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/uses.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

TEST(UsesTest, AnOutputIsUsedButByNoNode) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId unused = g.Placeholder("unused");
  const ValueId cat = g.Call("aten::cat", {{x, x}});
  g.Return({cat});
  EXPECT_TRUE(UsedByNodes(g.graph())[Index(x)]);
  EXPECT_FALSE(UsedByNodes(g.graph())[Index(cat)]);
  EXPECT_TRUE(UsedValues(g.graph())[Index(cat)]);
  EXPECT_FALSE(UsedValues(g.graph())[Index(unused)]);
}

}  // namespace
}  // namespace culprit::graph
