// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/breaks/breaks.h"
#include "tests/capture/captured.h"
#include "tests/capture/hazard.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<Hazard> Hazards() {
  std::vector<Hazard> hazards;
  for (const std::string& path : FixturesIn("hazards")) {
    base::Result<Hazard> hazard = ParseHazard(path, ReadFixture(path));
    EXPECT_TRUE(hazard.ok()) << hazard.error().Render();
    if (hazard.ok()) hazards.push_back(*std::move(hazard));
  }
  return hazards;
}

TEST(HazardsTest, ThereAreManyAndEachIsSomethingElse) {
  std::set<std::string> descriptions;
  for (const Hazard& hazard : Hazards())
    EXPECT_TRUE(descriptions.insert(hazard.description).second) << hazard.path << ": " << hazard.description;
  EXPECT_GE(descriptions.size(), 160u);
}

TEST(HazardsTest, AttributesOfObjectsBehindABreakDoNotBreakAgain) {
  const std::string path = "tests/fixtures/hazards/class_object_across_break.py";
  Coverage coverage;
  const auto comparison = CompareCaptured(*ParseHazard(path, ReadFixture(path)), coverage);
  ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
  EXPECT_THAT(coverage.breaks, ElementsAre(Pair("B04", 1)));
}

TEST(HazardsTest, EveryCallLeavesTheSameBehind) {
  Coverage coverage;
  for (const Hazard& hazard : Hazards()) {
    SCOPED_TRACE(hazard.path + ": " + hazard.description);
    const auto comparison = CompareCaptured(hazard, coverage);
    ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
    EXPECT_EQ(comparison->differences, "");
  }
  EXPECT_GT(coverage.operators, 1000u);
  EXPECT_GT(coverage.recaptures, 100u);
  // These take an option, or operators and classes that libtorch does not have: src/capture/captured_program_test.cc.
  const std::set<std::string_view> elsewhere = {"B09", "B12", "B13", "B16"};
  for (const capture::BreakDescription& kind : capture::AllBreaks()) {
    if (!elsewhere.contains(kind.code))
      EXPECT_GT(coverage.breaks[kind.code], 0u) << kind.code << ": " << kind.name;
  }
}

}  // namespace
}  // namespace culprit::tests
