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

TEST(GallopTest, TheLastOperatorAloneIsAskedFirst) {
  FakeCheck check(Needs({"tanh"}));
  const SearchResult result = MinimizeWith({"gallop"}, Chain(100, {{99, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), std::vector<std::string>{"tanh"});
  EXPECT_EQ(result.questions, 1);
}

TEST(GallopTest, ThenWithThoseThatFeedIt) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"gallop"}, Chain(100, {{97, "exp"}, {99, "tanh"}}), check);
  EXPECT_EQ(OperatorsOf(result.program), (std::vector<std::string>{"sin", "exp", "sin", "tanh"}));
  EXPECT_EQ(result.questions, 3);
}

TEST(GallopTest, FarOperatorsTakeThreeQuestionsAndChangeNothing) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"gallop"}, Chain(100, {{10, "exp"}, {99, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 100);
  EXPECT_EQ(result.questions, 3);
}

}  // namespace
}  // namespace culprit::minify::strategies
