// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using graph::ValueId;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::Needs;
using tests::OperatorsOf;
using tests::TestGraph;

Program WithNoise(const char* op) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId noise = g.Call(op, {g.Call("aten::sin", {x})});
  g.Return({g.Call("aten::tanh", {noise})});
  return {g.graph(), {at::ones({2, 3})}};
}

TEST(HoistTest, WhatIsDrawnBecomesAnInput) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"hoist"}, WithNoise("aten::rand_like"), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"sin", "tanh"}));
  EXPECT_EQ(result.program.inputs.size(), 2);
  EXPECT_EQ(result.questions, 1);
}

TEST(HoistTest, AlsoIfTheProgramGetsLarger) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::tanh", {g.CallAll("aten::native_dropout", {x, 0.5, true})[0]})});
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"hoist"}, {g.graph(), {at::ones({2, 3})}}, check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"mul", "mul", "tanh"}));
}

TEST(HoistTest, NotIfTheFailureVanishes) {
  FakeCheck check(Needs({"rand_like"}));
  const SearchResult result = MinimizeWith({"hoist"}, WithNoise("aten::rand_like"), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"sin", "rand_like", "tanh"}));
}

TEST(HoistTest, NothingIsAskedIfNothingIsRandom) {
  FakeCheck check(Needs({"tanh"}));
  EXPECT_EQ(MinimizeWith({"hoist"}, tests::Chain(3, {{1, "tanh"}}), check).questions, 0);
}

TEST(HoistTest, ASearchThatIsRepeatedDrawsTheSameNumbers) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult once = MinimizeWith({"hoist"}, WithNoise("aten::rand_like"), check);
  const SearchResult again = MinimizeWith({"hoist"}, WithNoise("aten::rand_like"), check);
  EXPECT_TRUE(once.program.inputs[1].toTensor().equal(again.program.inputs[1].toTensor()));
}

}  // namespace
}  // namespace culprit::minify::strategies
