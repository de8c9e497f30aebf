// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/locate/operator_windows.h"

#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::minify::strategies {
namespace {

using graph::NodeId;
using tests::TestGraph;

Subject MakeSubject(TestGraph& g) {
  return *Subject::Make({g.graph(), {at::ones({2, 3})}});
}

std::vector<Edit> AllOf(OperatorWindows windows) {
  std::vector<Edit> edits;
  while (std::optional<Edit> edit = windows.Next()) edits.push_back(*std::move(edit));
  return edits;
}

std::vector<std::vector<std::string>> OperatorsIn(OperatorWindows windows, const Subject& subject) {
  std::vector<std::vector<std::string>> operators;
  for (const Edit& edit : AllOf(windows)) operators.push_back(tests::OperatorsOf(*edit.apply(subject)));
  return operators;
}

TEST(WindowsTest, GrowTwofoldAndTheLastIsCutShort) {
  const Subject subject = *Subject::Make(tests::Chain(9));
  std::vector<size_t> sizes;
  for (const Edit& edit : AllOf(OperatorWindows(subject, NodeId(6), 100)))
    sizes.push_back(edit.apply(subject)->graph.nodes().size());
  EXPECT_EQ(sizes, (std::vector<size_t>{1, 2, 4, 7}));
}

TEST(WindowsTest, HoldNoMoreThanTheLimit) {
  const Subject subject = *Subject::Make(tests::Chain(9));
  EXPECT_EQ(AllOf(OperatorWindows(subject, NodeId(8), 4)).size(), 3);
  EXPECT_FALSE(OperatorWindows(subject, NodeId(8), 0).Next());
}

TEST(WindowsTest, NearestProducersComeFirst) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId near_left = g.Call("aten::exp", {g.Call("aten::sin", {x})});
  const graph::ValueId near_right = g.Call("aten::tanh", {g.Call("aten::cos", {x})});
  g.Call("aten::neg", {near_left});
  g.Return({g.Call("aten::mul.Tensor", {near_left, near_right})});
  const Subject subject = MakeSubject(g);
  EXPECT_EQ(OperatorsIn(OperatorWindows(subject, NodeId(5), 3), subject),
            (std::vector<std::vector<std::string>>{{"mul"}, {"exp", "mul"}, {"exp", "tanh", "mul"}}));
}

TEST(WindowsTest, WhoWroteLastIsTheProducer) {
  TestGraph g;
  const graph::ValueId made = g.Call("aten::sin", {g.Placeholder("x")});
  g.Call("aten::relu_", {made});
  g.Return({g.Call("aten::neg", {made})});
  const Subject subject = MakeSubject(g);
  EXPECT_EQ(OperatorsIn(OperatorWindows(subject, NodeId(2), 2), subject),
            (std::vector<std::vector<std::string>>{{"neg"}, {"relu_", "neg"}}));
}

}  // namespace
}  // namespace culprit::minify::strategies
