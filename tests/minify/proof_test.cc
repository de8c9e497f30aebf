// SPDX-License-Identifier: Apache-2.0
//
// What a search says of the program that is left: that no operator can be dropped or bypassed, how often that
// was tried, and which neighbours pass.
#include <gtest/gtest.h>

#include "minify/strategies/table.h"
#include "tests/lib/minimize_with.h"
#include "tests/lib/random_graph.h"

namespace culprit::minify {
namespace {

using tests::ByHash;
using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWithAll;
using tests::Needs;

/// Whether an edit of this strategy makes something smaller of the program that still fails.
bool CanGoOn(std::string_view strategy, const Program& program, const tests::AnswerFunction& answer) {
  FakeCheck check(answer);
  bool moved = false;
  tests::MinimizeWith({strategy}, program, check, {.on_smaller = [&](const Smaller&) { moved = true; }});
  return moved;
}

TEST(ProofTest, NoOperatorOfTheResultCanBeDroppedOrBypassed) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const tests::RandomGraph random = tests::MakeRandomGraph(seed, 20);
    const tests::AnswerFunction answer = ByHash(seed, 25);
    FakeCheck check(answer);
    const SearchResult result = MinimizeWithAll({random.graph, random.inputs}, check);
    ASSERT_EQ(result.ended, Ended::kMinimal);
    EXPECT_FALSE(CanGoOn("drop", result.program, answer)) << "seed " << seed;
    EXPECT_FALSE(CanGoOn("bypass", result.program, answer)) << "seed " << seed;
  }
}

TEST(ProofTest, WhatWasTriedIsCountedForTheProgramThatIsLeft) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWithAll(Chain(60, {{7, "exp"}, {41, "tanh"}}), check);
  const auto drop = std::ranges::find(result.tried, "drop", &Tried::strategy);
  ASSERT_NE(drop, result.tried.end());
  EXPECT_EQ(drop->passes, 2) << "either of the two operators";
  EXPECT_EQ(drop->other_failures, 0);
  EXPECT_EQ(drop->not_smaller, 0);
}

TEST(ProofTest, NeighboursPassAndNoneIsToldTwice) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const tests::RandomGraph random = tests::MakeRandomGraph(seed, 20);
    const tests::AnswerFunction answer = ByHash(seed, 25);
    FakeCheck check(answer);
    const SearchResult result = MinimizeWithAll({random.graph, random.inputs}, check);
    std::set<std::pair<std::string_view, std::string>> told;
    for (const Neighbour& neighbour : result.passing) {
      EXPECT_EQ(answer(neighbour.program).verdict.answer, Answer::kPasses);
      EXPECT_TRUE(told.insert({neighbour.strategy, neighbour.edit}).second) << neighbour.edit;
    }
  }
}

}  // namespace
}  // namespace culprit::minify
