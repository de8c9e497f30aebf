// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using graph::ValueId;
using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::OperatorsOf;
using tests::TestGraph;
using tests::WrongNumbers;

TEST(InstrumentTest, TheFirstWrongTensorNamesTheOperator) {
  FakeCheck check(WrongNumbers("", "tanh"));
  const SearchResult result = MinimizeWith({"instrument"}, Chain(100, {{50, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
  EXPECT_EQ(result.questions, 2);
}

TEST(InstrumentTest, WhatShowingHidesIsFoundByShowingLess) {
  for (size_t place = 40; place < 48; ++place) {
    FakeCheck check(WrongNumbers("exp", "tanh"));
    const SearchResult result =
        MinimizeWith({"instrument"}, Chain(100, {{place, "exp"}, {place + 1, "tanh"}}), check);
    const std::vector<std::string> operators = OperatorsOf(result.program);
    EXPECT_LE(operators.size(), 8) << place;
    EXPECT_TRUE(std::ranges::count(operators, "exp") && std::ranges::count(operators, "tanh")) << place;
    EXPECT_LE(result.questions, 7) << place;
  }
}

TEST(InstrumentTest, AWrongWriteIsNotBlamedOnWhoMadeTheTensor) {
  TestGraph g;
  ValueId made = g.Call("aten::sin", {g.Placeholder("x")});
  for (int i = 0; i < 6; ++i) made = g.Call("aten::cos", {made});
  g.Call("aten::tanh_", {made});
  g.Return({g.Call("aten::neg", {made})});
  FakeCheck check([](const Program& program) {
    // As memory is at the end: what tanh_ writes into is wrong, and whatever is it.
    const std::vector<std::string> names = OperatorsOf(program);
    const size_t writer = std::ranges::find(names, "tanh_") - names.begin();
    Reply reply;
    for (size_t i = 0; i < program.graph.outputs().size() && writer < names.size(); ++i) {
      const ValueId output = program.graph.outputs()[i].value();
      const graph::Node& node = program.graph.nodes()[writer];
      const bool wrong =
          output == node.arguments[0].value() || program.graph.value(output).origin_index >= writer;
      if (wrong) reply.wrong_outputs.push_back(i);
    }
    reply.verdict.answer = reply.wrong_outputs.empty() ? Answer::kPasses : Answer::kSameFailure;
    return reply;
  });
  const SearchResult result = MinimizeWith({"instrument"}, {g.graph(), {at::ones({2, 3})}}, check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh_"});
}

TEST(InstrumentTest, IfTheFailureVanishesThreeQuestionsAreLost) {
  FakeCheck check(tests::Always(Answer::kPasses));
  const SearchResult result =
      MinimizeWith({"instrument"}, Chain(100), check, {.first = {{Answer::kSameFailure}, {0}}});
  EXPECT_EQ(result.questions, 3);
  EXPECT_TRUE(result.passing.empty()) << "they are no smaller neighbours";
}

TEST(InstrumentTest, NothingIsAskedIfTheFailureIsNotWrongNumbers) {
  FakeCheck check(tests::Needs({"tanh"}));
  EXPECT_EQ(MinimizeWith({"instrument", "explode"}, Chain(100, {{50, "tanh"}}), check).questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
