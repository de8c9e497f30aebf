// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace_symbols.h"

#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/short_graph.h"
#include "tests/lib/watched_program.h"

namespace culprit::autograd {
namespace {

using tests::ShortGraph;
using tests::ShortText;

/// With symbols for the sizes of the first placeholder.
graph::Graph WithSymbols(const std::string& text, const std::vector<std::string>& symbols) {
  graph::Graph graph = ShortGraph(text);
  graph.SetSymbols(0, symbols);
  return graph;
}

TEST(TraceSymbolsTest, AMaximumSharesItsGradient) {
  const graph::Graph graph = WithSymbols("x\ny = amax.default(x, [1], False)\nreturn (y,)", {"s0", ""});
  std::string fixed;
  const Traced traced = TraceSymbols(graph, {at::randn({3, 2}).requires_grad_()}, std::nullopt, fixed);
  EXPECT_EQ(fixed, "");
  EXPECT_EQ(ShortText(traced.joint.graph), "");
}

}  // namespace
}  // namespace culprit::autograd
