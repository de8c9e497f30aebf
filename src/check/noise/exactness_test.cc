// SPDX-License-Identifier: Apache-2.0
#include "check/noise/exactness.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using tests::TestGraph;

TEST(ExactnessTest, WhatOnlyMovesNumbersRoundsNone) {
  EXPECT_EQ(ExactnessOf("aten::relu_"), Exactness::kAlways);
  EXPECT_EQ(ExactnessOf("aten::cat"), Exactness::kAlways);
  EXPECT_EQ(ExactnessOf("aten::add_"), Exactness::kWholeNumbers);
  EXPECT_EQ(ExactnessOf("aten::tanh"), Exactness::kNever);
}

bool LastIsSpecified(TestGraph& g) {
  return IsSpecified(g.graph().nodes().back());
}

TEST(IsSpecifiedTest, ViewsSelectionsAndComparisonsAre) {
  for (const char* op :
       {"aten::t", "aten::relu", "aten::relu_", "aten::floor", "aten::argmin", "aten::isnan"}) {
    TestGraph g;
    g.CallAll(op, {g.Placeholder("x")});
    EXPECT_TRUE(LastIsSpecified(g)) << op;
  }
}

TEST(IsSpecifiedTest, SumsAndFunctionsAreNot) {
  for (const char* op : {"aten::sum", "aten::tanh", "aten::exp_", "aten::mean"}) {
    TestGraph g;
    g.CallAll(op, {g.Placeholder("x")});
    EXPECT_FALSE(LastIsSpecified(g)) << op;
  }
}

// Which of equal numbers comes first.
TEST(IsSpecifiedTest, OrdersThatNobodyPromisesAreNot) {
  TestGraph g;
  g.CallAll("aten::topk", {g.Placeholder("x"), 2});
  EXPECT_FALSE(LastIsSpecified(g));
  g.CallAll("aten::sort", {g.Placeholder("y")});
  EXPECT_FALSE(LastIsSpecified(g));
}

TEST(IsSpecifiedTest, ArgumentsDecide) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::div.Tensor", {x, 3});
  EXPECT_FALSE(LastIsSpecified(g));
  g.Call("aten::div.Tensor_mode", {x, 3}, {{"rounding_mode", "floor"}});
  EXPECT_TRUE(LastIsSpecified(g));
  g.Call("aten::div.Tensor_mode", {x, 3}, {{"rounding_mode", nullptr}});
  EXPECT_FALSE(LastIsSpecified(g));
  g.Call("aten::round", {x});
  EXPECT_TRUE(LastIsSpecified(g));
  g.Call("aten::round.decimals", {x}, {{"decimals", 2}});
  EXPECT_FALSE(LastIsSpecified(g));
}

}  // namespace
}  // namespace culprit::check
