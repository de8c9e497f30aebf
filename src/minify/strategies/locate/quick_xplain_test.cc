// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::Needs;
using tests::OperatorsOf;

TEST(QuickXplainTest, BothEndsAreKeptAndNothingBetweenThatIsNotNeeded) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"quickxplain"}, Chain(1000, {{0, "exp"}, {999, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_EQ(result.questions, 1);
}

TEST(QuickXplainTest, AnOperatorBetweenTheEndsIsFound) {
  FakeCheck check(Needs({"exp", "cos", "tanh"}));
  const SearchResult result =
      MinimizeWith({"quickxplain"}, Chain(1000, {{0, "exp"}, {333, "cos"}, {999, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "cos", "tanh"}));
  EXPECT_LE(result.questions, 21);
}

TEST(QuickXplainTest, SeveralOperatorsBetweenTheEndsAreFound) {
  FakeCheck check(Needs({"exp", "cos", "neg", "abs", "tanh"}));
  const SearchResult result =
      MinimizeWith({"quickxplain"},
                   Chain(256, {{0, "exp"}, {50, "cos"}, {51, "neg"}, {200, "abs"}, {255, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"exp", "cos", "neg", "abs", "tanh"}));
}

TEST(QuickXplainTest, IfAllAreNeededTheBoundHolds) {
  FakeCheck check(tests::Always(Answer::kPasses));
  const SearchResult result = MinimizeWith({"quickxplain"}, Chain(32), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 32);
  EXPECT_LE(result.questions, 64);
}

}  // namespace
}  // namespace culprit::minify::strategies
