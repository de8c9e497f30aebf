// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/watched_graph.h"

#include <gtest/gtest.h>

namespace culprit::watch {
namespace {

/// Whether the header says that there are no parameters.
bool SaysNone(Point point, graph::PlaceholderKind kind) {
  graph::Graph graph;
  const graph::ValueId w = graph.AddPlaceholder("w", kind);
  graph.SetOutputs({w});
  return WatchedGraph(graph, point, {}).header.settings.contains(repro::kFreezeSetting);
}

TEST(WatchedGraphTest, AGraphThatAutogradHasMadeSaysIfItHasNoFrozenParameters) {
  EXPECT_TRUE(SaysNone(Point::kAot, graph::PlaceholderKind::kInput));
  EXPECT_FALSE(SaysNone(Point::kAot, graph::PlaceholderKind::kParameter));
}

TEST(WatchedGraphTest, ACapturedGraphLeavesTheChoiceToWhoeverReadsIt) {
  EXPECT_FALSE(SaysNone(Point::kCapture, graph::PlaceholderKind::kInput));
}

}  // namespace
}  // namespace culprit::watch
