// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::Needs;

TEST(FailingEndTest, ThePrefixEndsWithTheLastGuiltyOperator) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"prefix"}, Chain(64, {{20, "exp"}, {40, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 41);
  EXPECT_LE(result.questions, 7);
}

TEST(FailingEndTest, TheSuffixBeginsWithTheFirstGuiltyOperator) {
  FakeCheck check(Needs({"exp", "tanh"}));
  const SearchResult result = MinimizeWith({"suffix"}, Chain(64, {{20, "exp"}, {40, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 44);
  EXPECT_LE(result.questions, 7);
}

TEST(FailingEndTest, NothingIsLeftOutIfBothEndsAreNeeded) {
  for (const std::string_view end : {"prefix", "suffix"}) {
    FakeCheck check(Needs({"exp", "tanh"}));
    const SearchResult result = MinimizeWith({end}, Chain(64, {{0, "exp"}, {63, "tanh"}}), check);
    EXPECT_EQ(result.program.graph.nodes().size(), 64);
  }
}

TEST(FailingEndTest, ExpensiveOperatorsAreCutInHalves) {
  // The first ten cost as much as all others.
  Costs::ByName costs;
  const Program program = Chain(100, {{4, "tanh"}});
  const std::vector<std::string> names = Subject::Make(program)->names();
  for (size_t i = 0; i < names.size(); ++i) costs[names[i]] = i < 10 ? 9 : 1;
  FakeCheck check(Needs({"tanh"}));
  std::vector<std::string> edits;
  SearchOptions options{.costs = std::make_shared<const Costs>(Costs(costs))};
  options.on_answer = [&](const Asked& asked) { edits.push_back(asked.edit); };
  MinimizeWith({"prefix"}, program, check, options);
  EXPECT_EQ(edits.at(0), "keep the first 10 operators");
}

TEST(FailingEndTest, AFewOperatorsAreNotWorthABisection) {
  FakeCheck check(Needs({"tanh"}));
  EXPECT_EQ(MinimizeWith({"prefix", "suffix"}, Chain(4, {{1, "tanh"}}), check).questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
