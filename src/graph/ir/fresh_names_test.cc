// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/fresh_names.h"

#include <gtest/gtest.h>

namespace culprit::graph {
namespace {

TEST(FreshNamesTest, CountsOnUntilANameIsFree) {
  Graph graph;
  for (const char* name : {"relu", "relu_2", "x"}) graph.AddPlaceholder(name);
  FreshNames names(graph);
  EXPECT_EQ(names.Derive("relu"), "relu_1");
  EXPECT_EQ(names.Derive("relu"), "relu_3");
  EXPECT_EQ(names.Derive("x"), "x_1");
}

}  // namespace
}  // namespace culprit::graph
