// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/minimize_with.h"

namespace culprit::minify::strategies {
namespace {

using tests::Chain;
using tests::FakeCheck;
using tests::MinimizeWith;
using tests::WrongNumbers;

TEST(ExplodeStrategyTest, TheFirstOperatorThatIsWrongAloneIsKept) {
  FakeCheck check(WrongNumbers("", "tanh"));
  const SearchResult result = MinimizeWith({"explode"}, Chain(100, {{50, "tanh"}, {70, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 1);
  EXPECT_EQ(result.program.graph.value(result.program.graph.nodes()[0].results[0]).name, "tanh");
  EXPECT_EQ(result.questions, 2);
}

TEST(ExplodeStrategyTest, APatternIsNotFoundWithOneQuestion) {
  FakeCheck check(WrongNumbers("exp", "tanh"));
  const SearchResult result = MinimizeWith({"explode"}, Chain(100, {{50, "exp"}, {51, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 100);
  EXPECT_EQ(result.questions, 1);
}

TEST(ExplodeStrategyTest, AnOperatorThatPassesAloneIsLeftToOthers) {
  // Nothing that has no neighbours is touched.
  FakeCheck check([](const Program& program) {
    return program.graph.nodes().size() == 1 ? tests::FailsIf(false) : WrongNumbers("", "tanh")(program);
  });
  const SearchResult result = MinimizeWith({"explode"}, Chain(100, {{50, "tanh"}}), check);
  EXPECT_EQ(result.program.graph.nodes().size(), 100);
  EXPECT_EQ(result.questions, 2);
}

TEST(ExplodeStrategyTest, NothingIsAskedIfTheTensorsDoNotFitInMemory) {
  FakeCheck check(WrongNumbers("", "tanh"));
  const graph::RecordingLimits limits{1, testing::TempDir()};
  const SearchResult result =
      MinimizeWith({"explode"}, Chain(100, {{50, "tanh"}}), check, {.recording_limits = limits});
  EXPECT_EQ(result.questions, 0);
}

}  // namespace
}  // namespace culprit::minify::strategies
