// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/sources.h"

#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::hunt {
namespace {

TEST(SourcesTest, ANodeComesFromItsLine) {
  const Sources sources = SourcesOf(tests::Chain(2).graph, {4, 7}, "net.py");
  EXPECT_EQ(sources.at("sin"), "net.py:4");
  EXPECT_EQ(sources.at("sin_1"), "net.py:7");
}

TEST(SourcesTest, TheLineOfTheModelIsNamedToo) {
  graph::Graph graph = tests::Chain(1).graph;
  graph.SetModelLine(graph::NodeId(0), std::make_shared<std::string>("model.py:34 in forward"));
  EXPECT_EQ(SourcesOf(graph, {3}, "net.py").at("sin"), "net.py:3 (model.py:34 in forward)");
}

TEST(SourcesTest, WithoutAFileOnlyTheModelIsNamed) {
  graph::Graph graph = tests::Chain(2).graph;
  graph.SetModelLine(graph::NodeId(1), std::make_shared<std::string>("model.py:34 in forward"));
  const Sources sources = SourcesOf(graph, {3, 4}, "");
  EXPECT_EQ(sources, (Sources{{"sin_1", "model.py:34 in forward"}}));
}

TEST(SourcesTest, WithoutLinesNothingIsKnown) {
  EXPECT_TRUE(SourcesOf(tests::Chain(2).graph, {}, "net.py").empty());
}

}  // namespace
}  // namespace culprit::hunt
