// SPDX-License-Identifier: Apache-2.0
//
// The strategies that find operators, together, against checks that need no compiler: how much do they ask?
#include <gtest/gtest.h>

#include <bit>

#include "tests/lib/minimize_with.h"

namespace culprit::minify {
namespace {

using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeOperators;
using tests::Needs;
using tests::OperatorsOf;
using tests::WrongNumbers;

TEST(SearchTest, OneGuiltyOperatorOfAThousandIsFound) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeOperators(Chain(1000, {{617, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
  EXPECT_LE(result.questions, 14);
}

TEST(SearchTest, TwoFarOperatorsAreFoundWithFewQuestions) {
  FakeCheck check(Needs({"tanh", "exp"}));
  const SearchResult result = MinimizeOperators(Chain(5000, {{100, "exp"}, {4321, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_LE(result.questions, 30);
}

TEST(SearchTest, ThreeOperatorsAreFound) {
  FakeCheck check(Needs({"tanh", "exp", "cos"}));
  const SearchResult result = MinimizeOperators(Chain(500, {{10, "exp"}, {77, "cos"}, {432, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "cos", "tanh"}));
}

/// How many operators all questions of a search hold together.
size_t OperatorsAskedAbout(size_t length, const tests::AnswerFunction& answer) {
  FakeCheck check(answer);
  size_t operators = 0;
  MinimizeOperators(
      Chain(length, {{length / 10, "exp"}, {length - length / 10, "tanh"}}), check,
      {.on_answer = [&](const Asked& asked) { operators += asked.program.graph.nodes().size(); }});
  return operators;
}

TEST(SearchTest, WhatIsAskedAboutIsNoMoreThanTwoBisectionsOverAllOperators) {
  for (const size_t length : {100, 1000, 10000}) {
    EXPECT_LE(OperatorsAskedAbout(length, Needs({"exp", "tanh"})), 2 * length * std::bit_width(length));
    EXPECT_LE(OperatorsAskedAbout(length, WrongNumbers("", "tanh")), length + 1);
  }
}

TEST(SearchTest, OneOperatorWithWrongNumbersTakesTwoQuestions) {
  FakeCheck check(WrongNumbers("", "tanh"));
  const SearchResult result = MinimizeOperators(Chain(1000, {{617, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
  EXPECT_EQ(result.questions, 2);
}

TEST(SearchTest, APairThatIsFusedWronglyTakesFewQuestionsAlthoughShowingItHidesIt) {
  FakeCheck check(WrongNumbers("exp", "tanh"));
  const SearchResult result = MinimizeOperators(Chain(160, {{99, "exp"}, {100, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_LE(result.questions, 11);
}

}  // namespace
}  // namespace culprit::minify
