// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/number_calls.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/captured_function.h"

namespace culprit::capture {
namespace {

using testing::ElementsAre;
using tests::CapturedFunction;

std::vector<std::string> NodesOf(CapturedFunction& f, size_t segment = 0) {
  std::vector<std::string> names;
  for (const graph::Node& node : f.program().segments().at(segment)->graph.nodes())
    names.push_back(node.op->qualified_name());
  return names;
}

TEST(NumberCallsTest, ArithmeticWhoseTensorsNobodyUsesIsNotInTheGraph) {
  CapturedFunction f(
      "def f(x: Tensor):\n  n = torch.tensor(x.size(0)) * 3\n  return x.view([int(n // x.size(1)), -1])\n");
  EXPECT_EQ(f({at::ones({4, 3})}).toTensor().size(0), 4);
  EXPECT_THAT(NodesOf(f), ElementsAre("aten::view"));
  EXPECT_THAT(f.breaks(), ElementsAre(""));
}

TEST(NumberCallsTest, ArithmeticWhoseTensorsAreUsedIs) {
  CapturedFunction f(
      "def f(x: Tensor):\n  n = torch.tensor(x.size(0)) * 3\n  m = n + 1\n  return x * n, int(m)\n");
  f({at::ones({4, 3})});
  EXPECT_THAT(NodesOf(f), ElementsAre("aten::scalar_tensor", "aten::mul.Scalar", "aten::mul.Tensor"));
}

TEST(NumberCallsTest, NumbersThatStandInTheProgramAreConstants) {
  CapturedFunction f("def f(x: Tensor):\n  return x * torch.tensor([1, 2, 3])\n");
  f({at::ones({3})});
  EXPECT_THAT(NodesOf(f), ElementsAre("aten::lift_fresh_copy", "aten::mul.Tensor"));
}

TEST(NumberCallsTest, ADecisionOnSuchTensorsIsNoBreakAndIsACondition) {
  CapturedFunction f(
      "def f(x: Tensor):\n  if bool(torch.tensor(x.size(0)) * 2 > 8):\n    return x * 2\n  return x\n");
  f({at::ones({6})});
  f({at::ones({7})});
  EXPECT_EQ(f({at::ones({9})}).toTensor()[0].item<float>(), 2);
  EXPECT_EQ(f({at::ones({3})}).toTensor()[0].item<float>(), 1);
  ASSERT_EQ(f.program().segments().size(), 3);
  ASSERT_EQ(f.program().segments()[1]->conditions.size(), 1);
  EXPECT_EQ(ToString(f.program().segments()[1]->conditions[0].condition), "2*s0 > 8");
}

TEST(NumberCallsTest, NumbersOfDataAreStillABreak) {
  CapturedFunction f("def f(x: Tensor):\n  n = torch.tensor(x.size(0)) + x.sum().to(4)\n  return int(n)\n");
  EXPECT_EQ(f({at::ones({4})}).toInt(), 8);
  EXPECT_THAT(f.breaks(), ElementsAre("B01", ""));
}

TEST(NumberCallsTest, WhatDataWasWrittenIntoIsData) {
  CapturedFunction f(
      "def f(x: Tensor):\n  n = torch.tensor(x.size(0))\n  v = n.view([1])\n  v.copy_(x[:1])\n  return "
      "int(n)\n");
  EXPECT_EQ(f({at::ones({4})}).toInt(), 1);
  EXPECT_THAT(f.breaks(), ElementsAre("B01", ""));
}

TEST(NumberCallsTest, WhatNumbersWereWrittenIntoIsKnown) {
  CapturedFunction f(
      "def f(x: Tensor):\n  n = torch.tensor(x.size(0))\n  v = n.view([1])\n  v.add_(2)\n  return int(n), x "
      "* n\n");
  EXPECT_EQ(f({at::ones({4})}).toTupleRef().elements()[0].toInt(), 6);
  EXPECT_THAT(f.breaks(), ElementsAre(""));
}

}  // namespace
}  // namespace culprit::capture
