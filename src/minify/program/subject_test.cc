// SPDX-License-Identifier: Apache-2.0
#include "minify/program/subject.h"

#include <ATen/ops/rand.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::minify {
namespace {

using tests::Chain;
using tests::TestGraph;

TEST(SubjectTest, NodesAreFoundByNameInProgramOrder) {
  const Subject subject = *Subject::Make(Chain(5, {{3, "tanh"}}));
  EXPECT_EQ(subject.Find({"tanh", "gone", "sin"}), (std::vector{graph::NodeId(0), graph::NodeId(3)}));
}

TEST(SubjectTest, ACopyFindsItsNodesWhenTheOriginalIsGone) {
  std::optional<Subject> original = *Subject::Make(Chain(5, {{3, "tanh"}}));
  const Subject copy = *original;
  original.reset();
  EXPECT_EQ(copy.Find({"tanh"}), std::vector{graph::NodeId(3)});
}

TEST(SubjectTest, ANodeWithoutACostCostsAsMuchAsTheOthersDoOnAverage) {
  const Subject subject =
      *Subject::Make(Chain(3), std::make_shared<const Costs>(Costs({{"sin", 1}, {"sin_1", 3}})));
  EXPECT_EQ(subject.CostOf(graph::NodeId(1)), 3);
  EXPECT_EQ(subject.CostOf(graph::NodeId(2)), 2);
}

TEST(SubjectTest, TheInputsStayAsTheyAre) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::zero_", {x})});
  const at::Tensor input = at::ones({2});
  const Subject subject = *Subject::Make({g.graph(), {input}});
  EXPECT_EQ(input.sum().item<double>(), 2);
}

TEST(SubjectTest, WhatIsDrawnIsDrawnAgain) {
  TestGraph g;
  g.Return({g.Call("aten::rand", {{8}})});
  const auto draw = [&] { return Subject::Make({g.graph(), {}})->recording().ValueAt(graph::ValueId(0), 1); };
  const at::Tensor first = draw()->toTensor();
  EXPECT_TRUE(first.equal(draw()->toTensor()));
  EXPECT_TRUE(first.equal(at::rand({8}))) << "and so is the next of the caller";
}

TEST(SubjectTest, AFullDiskIsNoFaultOfTheProgram) {
  const base::Result<Subject> subject =
      Subject::Make(Chain(3), nullptr, graph::RecordingLimits{1, "/nowhere"});
  ASSERT_FALSE(subject.ok());
  EXPECT_THAT(subject.error().message, testing::StartsWith("cannot make a temporary file"));
}

}  // namespace
}  // namespace culprit::minify
