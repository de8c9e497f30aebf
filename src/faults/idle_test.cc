// SPDX-License-Identifier: Apache-2.0
#include "faults/idle.h"

#include <gtest/gtest.h>

#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using graph::ValueId;

/// sin, relu_, add.Tensor
graph::Graph Example() {
  tests::TestGraph g;
  const ValueId sin = g.Call("aten::sin", {g.Placeholder("x")});
  const ValueId relu = g.Call("aten::relu_", {sin});
  g.Return({g.Call("aten::add.Tensor", {relu, relu})});
  return g.graph();
}

std::string Why(const char* where) {
  const base::Result<std::string> why = WhyIdle(*ParseWhere(where), Example());
  return why.ok() ? *why : "error: " + why.error().message;
}

TEST(WhyIdleTest, AnOperatorThatTheGraphLacksIsNamedWithTheNearestOfTheGraph) {
  EXPECT_EQ(Why("relu"), "it does not call 'relu', did you mean 'relu_'?");
  EXPECT_EQ(Why("aten::relu"), "it does not call 'aten::relu', did you mean 'aten::relu_'?");
  EXPECT_EQ(Why("add.Scalar"), "it does not call 'add.Scalar'");
  EXPECT_EQ(Why("convolution"), "it does not call 'convolution'");
  EXPECT_EQ(Why("sin&softmax"), "it does not call 'softmax'");
}

TEST(WhyIdleTest, AnOperatorThatDoesNotExistIsAnError) {
  EXPECT_EQ(Why("rleu_"), "error: unknown operator 'rleu_', did you mean 'relu_'?");
  EXPECT_EQ(Why("tahn"), "error: unknown operator 'tahn', did you mean 'tanh'?");
  EXPECT_EQ(Why("sin>conovlution"), "error: unknown operator 'conovlution', did you mean 'convolution'?");
  EXPECT_EQ(Why("zzzzzzzzzz"), "error: unknown operator 'zzzzzzzzzz'");
  EXPECT_EQ(Why("add.Tensro"), "error: unknown operator 'add.Tensro', did you mean 'add.Tensor'?");
}

TEST(WhyIdleTest, OperatorsThatHaveNothingToDoWithEachOther) {
  EXPECT_EQ(Why("add>sin"), "no 'sin' uses what 'add' gives");
  EXPECT_EQ(Why("sin&sin"), "it calls 'sin' only once");
}

}  // namespace
}  // namespace culprit::faults
