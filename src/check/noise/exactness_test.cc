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

TEST(IsSpecifiedTest, OneSumIs) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::sub.Tensor", {x, 3});
  EXPECT_TRUE(LastIsSpecified(g));
  g.Call("aten::sub.Tensor", {x, 3}, {{"alpha", 2}});
  EXPECT_FALSE(LastIsSpecified(g));
}

TEST(IsSpecifiedTest, OneProductIsOfRealNumbers) {
  TestGraph g;
  g.Call("aten::mul.Tensor", {g.Placeholder("x"), 3});
  EXPECT_FALSE(LastIsSpecified(g));
  EXPECT_TRUE(IsSpecifiedOfReals(g.graph().nodes().back()));
}

TEST(IsSpecifiedTest, CastsAndEveryViewAre) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::_to_copy", {x}, {{"dtype", at::kLong}});
  EXPECT_TRUE(LastIsSpecified(g));
  g.Call("aten::swapaxes", {x, 0, 1});
  EXPECT_TRUE(LastIsSpecified(g));
  g.Call("aten::_unsafe_view", {x, {4}});
  EXPECT_TRUE(LastIsSpecified(g));
}

TEST(AddsUpTest, SumsDoAndMasksAndAttentionDoNot) {
  for (const char* op : {"aten::sum", "aten::mean", "aten::cumsum", "aten::var"}) {
    TestGraph g;
    op == std::string_view("aten::cumsum") ? g.Call(op, {g.Placeholder("x"), 0})
                                           : g.Call(op, {g.Placeholder("x")});
    EXPECT_TRUE(AddsUp(g.graph().nodes().back())) << op;
  }
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Call("aten::add.Tensor", {x, x});
  EXPECT_FALSE(AddsUp(g.graph().nodes().back()));
  g.Call("aten::mul.Tensor", {x, x});
  EXPECT_FALSE(AddsUp(g.graph().nodes().back()));
  g.Call("aten::_softmax", {x, -1, false});
  EXPECT_FALSE(AddsUp(g.graph().nodes().back()));
  g.Call("aten::scaled_dot_product_attention", {x, x, x, x});
  EXPECT_FALSE(AddsUp(g.graph().nodes().back()));
  g.CallAll("aten::_scaled_dot_product_flash_attention_for_cpu", {x, x, x});
  EXPECT_FALSE(AddsUp(g.graph().nodes().back()));
}

// Which of equal numbers comes first.
TEST(IsSpecifiedTest, OrdersThatNobodyPromisesAreNot) {
  TestGraph g;
  g.CallAll("aten::topk", {g.Placeholder("x"), 2});
  EXPECT_FALSE(LastIsSpecified(g));
  g.CallAll("aten::sort", {g.Placeholder("y")});
  EXPECT_FALSE(LastIsSpecified(g));
  g.CallAll("aten::sort.stable", {g.Placeholder("z")}, {{"stable", true}});
  EXPECT_TRUE(LastIsSpecified(g));
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
