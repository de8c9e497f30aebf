// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backends/table.h"
#include "capture/program.h"
#include "tests/capture/hazard.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

/// The program whose calls are compared with those of libtorch's interpreter.
Callable MakeSubject(const model::Entry& entry) {
  capture::Options options;
  options.compile = [](const capture::Segment& segment, const backend::Values& inputs) {
    static backend::Backend& eager = *backends::Open({.name = "eager"})->release();
    return std::shared_ptr<backend::Compiled>(eager.Compile(segment.graph, inputs));
  };
  const auto program = std::make_shared<capture::Program>(*entry.function, options);
  return [program](std::vector<c10::IValue> arguments) { return program->Call(std::move(arguments)); };
}

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

TEST(HazardsTest, EveryCallLeavesTheSameBehind) {
  for (const Hazard& hazard : Hazards()) {
    SCOPED_TRACE(hazard.path + ": " + hazard.description);
    const auto expected = RunHazard(hazard, PlainInterpreter);
    ASSERT_TRUE(expected.ok()) << expected.error().Render();
    const auto actual = RunHazard(hazard, MakeSubject);
    ASSERT_TRUE(actual.ok()) << actual.error().Render();
    for (size_t call = 0; call < expected->size(); ++call)
      EXPECT_EQ(Differences((*expected)[call], (*actual)[call]), "") << "call " << call;
  }
}

}  // namespace
}  // namespace culprit::tests
