// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/choose_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::TestGraph;

/// A convolution, batch_norm and a linear layer, all as they are behind autograd.
Graph Network() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w");
  const ValueId mean = g.Placeholder("mean");
  const ValueId var = g.Placeholder("var");
  const ValueId linear_w = g.Placeholder("linear_w");
  const ValueId linear_b = g.Placeholder("linear_b");
  const ValueId y = g.Placeholder("y");
  const ValueId conv = g.Call("aten::convolution", {x, w, nullptr, {1}, {0}, {1}, false, {0}, 1});
  const ValueId norm =
      g.CallAll("aten::native_batch_norm", {conv, nullptr, nullptr, mean, var, false, 0.1, 1e-5})[0];
  const ValueId rows = g.Call("aten::view", {norm, {2, -1}});
  const ValueId cast = g.Call("aten::_to_copy", {linear_w}, {{"dtype", at::kFloat}});
  const ValueId linear = g.Call("aten::addmm", {linear_b, rows, g.Call("aten::t", {cast})});
  g.Return({g.Call("aten::mm", {linear, y})});
  return g.graph();
}

std::string Kinds(const Graph& graph) {
  std::string kinds;
  for (const Placeholder& placeholder : graph.placeholders()) {
    kinds += placeholder.kind == PlaceholderKind::kInput    ? 'i'
             : placeholder.kind == PlaceholderKind::kBuffer ? 'b'
                                                            : 'p';
  }
  return kinds;
}

TEST(ChooseParametersTest, WeightSlotsAreFoundThroughTransposesAndCasts) {
  const ChosenParameters found = *ChooseParameters(Network(), "auto");
  EXPECT_EQ(Kinds(found.graph), "ipbbppi");
  EXPECT_THAT(found.chosen, ElementsAre(1, 2, 3, 4, 5));
}

TEST(ChooseParametersTest, WhatTheGraphItselfSaysIsNotGuessedAgain) {
  Graph graph = Network();
  graph.SetPlaceholderKind(6, PlaceholderKind::kBuffer);
  EXPECT_EQ(Kinds(ChooseParameters(graph, "auto")->graph), "iiiiiib");
}

TEST(ChooseParametersTest, NoneMeansNone) {
  Graph graph = Network();
  graph.SetPlaceholderKind(6, PlaceholderKind::kParameter);
  const ChosenParameters found = *ChooseParameters(graph, "none");
  EXPECT_EQ(Kinds(found.graph), "iiiiiii");
  EXPECT_THAT(found.chosen, IsEmpty());
}

TEST(ChooseParametersTest, NamesAreJustThoseAndKeepTheirKind) {
  Graph graph = Network();
  graph.SetPlaceholderKind(2, PlaceholderKind::kBuffer);
  graph.SetPlaceholderKind(3, PlaceholderKind::kBuffer);
  EXPECT_EQ(Kinds(ChooseParameters(graph, "mean,y")->graph), "iibiiip");
}

TEST(ChooseParametersTest, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_EQ(ChooseParameters(Network(), "w,linear_bb").error().message,
            "the graph has no placeholder 'linear_bb', did you mean 'linear_b'?");
}

TEST(ChooseParametersTest, WhatIsMultipliedByItsOwnTransposeIsNoWeight) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w");
  const ValueId hidden = g.Call("aten::mm", {x, g.Call("aten::t", {w})});
  g.Return({hidden, g.Call("aten::mm", {x, g.Call("aten::t", {x})})});
  EXPECT_EQ(Kinds(ChooseParameters(g.graph(), "auto")->graph), "ip");
}

TEST(ChooseParametersTest, AProductOfTwoInputsHasNoWeight) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  g.Return({g.Call("aten::mm", {x, y})});
  EXPECT_EQ(Kinds(ChooseParameters(g.graph(), "auto")->graph), "ii");
}

}  // namespace
}  // namespace culprit::graph
